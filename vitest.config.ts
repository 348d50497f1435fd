/**
 * `npm test`, or the suite that `SUITE` names. One file serves them all, so that they share the cache of
 * compiled sources.
 */
import {randomInt} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';
import {availableParallelism} from 'node:os';
import {defineConfig, type ViteUserConfig} from 'vitest/config';

const {version} = JSON.parse(readFileSync('package.json', 'utf8'));
const {
	SUITE: suite = 'main',
	FUZZ_SEED: seed = String(randomInt(2 ** 30)),
	FUZZ_MS: ms = '1500',
} = process.env;
// A machine of any speed, under any load, stays below these: only what never ends exceeds them.
const timeout = 120_000;

const suites: Readonly<Record<string, () => ViteUserConfig['test']>> = {
	main: () => ({
		include: ['test/**/*.test.{ts,tsx}'],
		exclude: ['test/extra/**', 'test/conformance/**'],
	}),
	// Processes, packages, pictures, shells and programs of others; most wait for one.
	extra: () => ({include: ['test/extra/**/*.test.ts'], maxWorkers: availableParallelism() + 2}),
	// Random inputs, each test for a time (`test/helpers/fuzz.ts`), and what work costs
	// (`test/helpers/cost.ts`).
	fuzz: () => {
		process.stdout.write(`FUZZ_SEED=${seed}, ${ms} ms for each test\n`);
		return {
			include: filesOf(/helpers\/fuzz\.ts|'cost'/),
			env: {FUZZ_SEED: seed, FUZZ_MS: ms},
			testTimeout: timeout + Number(ms),
		};
	},
	// Programs of others judge ours.
	conformance: () => ({
		include: ['test/conformance/*.test.ts'],
		globalSetup: ['test/helpers/built-program.ts', 'test/conformance/install-packages.ts'],
	}),
};

function filesOf(pattern: RegExp): string[] {
	return readdirSync('test', {recursive: true, encoding: 'utf8'})
		.map((name) => `test/${name}`)
		.filter((path) => /\.test\.tsx?$/.test(path))
		.filter((path) => pattern.test(readFileSync(path, 'utf8')));
}

const choose = suites[suite];
if (choose === undefined)
	throw new Error(`SUITE=${suite}: expected ${Object.keys(suites).join(', ')}`);
const {env, ...chosen} = choose() ?? {};

export default defineConfig({
	define: {__CHAT_VERSION__: JSON.stringify(version)},
	test: {
		globalSetup: ['test/helpers/built-program.ts'],
		maxWorkers: availableParallelism(),
		testTimeout: timeout,
		hookTimeout: timeout,
		expect: {poll: {timeout: 60_000}},
		tags: [
			{name: 'fuzz', description: 'random inputs'},
			{name: 'cost', description: 'time and memory in proportion to the input'},
		],
		pool: 'forks',
		// Short-lived objects of the tests are collected less often.
		execArgv: ['--max-semi-space-size=64'],
		// No module of ours keeps state, so that the files of a process can share what is loaded.
		isolate: false,
		// Compiled sources are cached between runs.
		experimental: {fsModuleCache: true},
		// Node runs the built program as it is.
		server: {deps: {external: [/\/dist\//]}},
		...chosen,
		// The streams of this process are not terminals, those of the programs it runs are.
		env: {FORCE_COLOR: '1', ...env},
	},
});
