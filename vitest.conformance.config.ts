/** `npm run test:conformance`: programs of others judge ours; see `test/conformance/`. */
import {defineConfig} from 'vitest/config';
import base from './vitest.config.ts';

export default defineConfig({
	...base,
	test: {
		...base.test,
		include: ['test/conformance/*.test.ts'],
		exclude: [],
		globalSetup: ['test/helpers/built-program.ts', 'test/conformance/install-packages.ts'],
	},
});
