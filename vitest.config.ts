import {readFileSync} from 'node:fs';
import {availableParallelism} from 'node:os';
import {defineConfig} from 'vitest/config';

const {version} = JSON.parse(readFileSync('package.json', 'utf8'));

export default defineConfig({
	define: {__CHAT_VERSION__: JSON.stringify(version)},
	test: {
		include: ['test/**/*.test.{ts,tsx}'],
		// `npm run test:extra` and `npm run test:conformance`, with programs from the registry.
		exclude: ['test/extra/**', 'test/conformance/**'],
		globalSetup: ['test/helpers/built-program.ts'],
		maxWorkers: availableParallelism(),
		// A machine of any speed, under any load, stays below these: only what never ends exceeds them.
		testTimeout: 120_000,
		hookTimeout: 120_000,
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
		// The streams of this process are not terminals, those of the programs it runs are.
		env: {FORCE_COLOR: '1'},
		// Node runs the built program as it is.
		server: {deps: {external: [/\/dist\//]}},
	},
});
