/** `npm run test:extra`: programs of others judge ours; see `test/extra/`. */
import {defineConfig} from 'vitest/config';
import base from './vitest.config.ts';

export default defineConfig({
	...base,
	test: {
		...base.test,
		include: ['test/extra/*.test.ts'],
		exclude: [],
		globalSetup: ['test/helpers/built-program.ts', 'test/extra/install-packages.ts'],
	},
});
