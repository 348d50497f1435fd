/**
 * Makes a single executable of the program and the Node that runs this script, or the one given, in
 * `build/executable/`, with the licences, the manual page and the completions. Needs Node 26, which
 * makes executables of ES modules, and a packed program (`npm run package`).
 *
 * `node scripts/package-sea.js [--node <path>]`
 */
import {execFileSync} from 'node:child_process';
import {cp, mkdir, realpath, rm, stat, writeFile} from 'node:fs/promises';
import {dirname, join, relative} from 'node:path';
import {parseArgs} from 'node:util';
import {build} from 'esbuild';
import {bundleOptions} from './bundle-options.js';
import {root} from './project.js';

const staged = join(root, 'build', 'package');
const output = join(root, 'build', 'executable');
const executable = join(output, process.platform === 'win32' ? 'chat.exe' : 'chat');
const minimumMajor = 26;

/** Without the work of `bin/chat.js`, which is for an installed Node. */
const entry = `
import {runProgram} from './src/main.ts';
void runProgram(process.argv.slice(2));
`;

/** Bundles the program into one file: an executable has no folder to load chunks from. */
async function bundleProgram() {
	const {outputFiles} = await build({
		...bundleOptions,
		splitting: false,
		stdin: {contents: entry, resolveDir: root},
		outfile: 'main.js',
		// In an executable it is undefined, and `createRequire` needs some address.
		define: {...bundleOptions.define, 'import.meta.url': '"file:///chat"'},
	});
	return outputFiles[0].contents;
}

async function makeExecutable(node) {
	const main = join(output, 'main.js');
	const config = join(output, 'sea.json');
	await writeFile(main, await bundleProgram());
	const settings = {
		main,
		mainFormat: 'module',
		output: executable,
		// Without it, each start compiles the whole file: 35 ms of CPU.
		useCodeCache: true,
		disableExperimentalSEAWarning: true,
	};
	await writeFile(config, JSON.stringify(settings));
	execFileSync(node, ['--build-sea', config], {stdio: ['ignore', 'ignore', 'inherit']});
	// The signature of Node does not fit its copy.
	if (process.platform === 'darwin')
		execFileSync('codesign', ['--force', '--sign', '-', executable]);
	await rm(main);
	await rm(config);
}

async function addDocuments(node) {
	const licenses = {
		LICENSE: join(staged, 'LICENSE'),
		'THIRD-PARTY-LICENSES.txt': join(staged, 'dist', 'THIRD-PARTY-LICENSES.txt'),
		'NODE-LICENSE.txt': join(dirname(dirname(await realpath(node))), 'LICENSE'),
		share: join(staged, 'share'),
	};
	for (const [name, path] of Object.entries(licenses)) {
		await cp(path, join(output, name), {recursive: true});
	}
}

async function main() {
	const {values} = parseArgs({options: {node: {type: 'string', default: process.execPath}}});
	const version = execFileSync(values.node, ['--version'], {encoding: 'utf8'}).trim();
	if (Number.parseInt(version.slice(1), 10) < minimumMajor) {
		console.error(`Node ${minimumMajor} or newer is needed, this is ${version}: use --node <path>`);
		process.exitCode = 64;
		return;
	}
	await rm(output, {recursive: true, force: true});
	await mkdir(output, {recursive: true});
	await makeExecutable(values.node);
	await addDocuments(values.node);
	const megabytes = Math.round((await stat(executable)).size / 1e6);
	console.log(`made ${relative(process.cwd(), executable)}: ${megabytes} MB, Node ${version}`);
}

await main();
