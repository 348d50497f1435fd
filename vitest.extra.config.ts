/** `npm run test:extra`: processes, packages, pictures, shells and programs of others, see `test/extra/`. */
import {availableParallelism} from 'node:os';
import {defineConfig} from 'vitest/config';
import base from './vitest.config.ts';

export default defineConfig({
	...base,
	test: {
		...base.test,
		include: ['test/extra/**/*.test.ts'],
		exclude: [],
		// Most wait for a terminal or a process.
		maxWorkers: availableParallelism() + 2,
	},
});
