/**
 * Runs the tests and the packed program on every supported version of Node, installed from the npm
 * registry.
 *
 * `node scripts/test-nodes.js [major …]`
 */
import {spawnSync} from 'node:child_process';
import {mkdirSync, readdirSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {manifest, root} from './project.js';

const majors = process.argv.length > 2 ? process.argv.slice(2) : ['20', '22', '24', '26'];

function run(command, args, options = {}) {
	const {status, error} = spawnSync(command, args, {cwd: root, stdio: 'inherit', ...options});
	if (error !== undefined) throw error;
	return status === 0;
}

/** Installs a version of Node; returns the folder of its `node` command. */
function installNode(major) {
	const prefix = join(root, 'build', 'nodes', major);
	mkdirSync(prefix, {recursive: true});
	const name = `node-${process.platform}-${process.arch}`;
	const flags = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
	if (!run('npm', ['install', ...flags, '--prefix', prefix, `${name}@${major}`])) {
		throw new Error(`cannot install ${name}@${major}`);
	}
	return join(prefix, 'node_modules', name, 'bin');
}

/** Installs the packed program into an empty prefix and runs it once. */
function runPacked(folder, env) {
	const packed = readdirSync(join(root, 'build')).find((name) => name.endsWith('.tgz'));
	if (packed === undefined) throw new Error('nothing is packed: npm run package');
	const prefix = join(root, 'build', 'nodes', `prefix-${process.pid}`);
	const file = join(root, 'build', packed);
	const isInstalled = run('npm', ['install', '-g', '--offline', '--prefix', prefix, file], {env});
	const command = join(prefix, 'lib', 'node_modules', manifest.name, 'bin', 'chat.js');
	return isInstalled && run(join(folder, 'node'), [command, 'Hello'], {env});
}

function testOn(major) {
	const folder = installNode(major);
	const env = {...process.env, PATH: `${folder}${delimiter}${process.env.PATH}`};
	const version = spawnSync(join(folder, 'node'), ['--version']).stdout.toString().trim();
	console.log(`\n=== ${version}`);
	const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
	const isTested = run(join(folder, 'node'), [vitest, 'run'], {env});
	return {version, isTested, isAnswered: runPacked(folder, env)};
}

if (!run('npm', ['run', '--silent', 'package'])) throw new Error('packing failed');
const results = majors.map(testOn);
console.log('');
for (const {version, isTested, isAnswered} of results) {
	const suite = isTested ? 'the tests pass' : 'the tests FAIL';
	console.log(
		`${version}: ${suite}, the packed program ${isAnswered ? 'answers' : 'does NOT answer'}`,
	);
}
if (results.some(({isTested, isAnswered}) => !isTested || !isAnswered)) process.exitCode = 1;
