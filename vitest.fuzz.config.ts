/**
 * `npm run test:fuzz`: the tests with random inputs, each for a time (`test/helpers/fuzz.ts`), and those
 * of what work costs (`test/helpers/cost.ts`).
 */
import {randomInt} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';
import {defineConfig} from 'vitest/config';
import base from './vitest.config.ts';

const {FUZZ_SEED: seed = String(randomInt(2 ** 30)), FUZZ_MS: milliseconds = '1500'} = process.env;

const files = readdirSync('test', {recursive: true, encoding: 'utf8'})
	.map((name) => `test/${name}`)
	.filter((path) => /\.test\.tsx?$/.test(path))
	.filter((path) => /helpers\/fuzz\.ts|'cost'/.test(readFileSync(path, 'utf8')));

export default defineConfig({
	...base,
	plugins: [
		{
			name: 'print-seed',
			configureVitest: () => {
				process.stdout.write(`FUZZ_SEED=${seed}, ${milliseconds} ms for each test\n`);
			},
		},
	],
	test: {
		...base.test,
		include: files,
		env: {...base.test?.env, FUZZ_SEED: seed, FUZZ_MS: milliseconds},
		testTimeout: 120_000 + Number(milliseconds),
	},
});
