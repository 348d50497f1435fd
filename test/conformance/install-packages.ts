/**
 * Installs what only these tests need from the npm registry, each in one version: the referee, and
 * the Node that it runs on.
 */
import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

const folder = fileURLToPath(new URL('../../build/conformance/', import.meta.url));
const nodeName = `node-${process.platform}-${process.arch}`;
const dependencies = {
	'@modelcontextprotocol/conformance': '0.2.0-alpha.12',
	[nodeName]: '22.23.3',
};

/** Returns a path inside one of the packages. */
export function pathInPackage(name: string, ...parts: readonly string[]): string {
	return join(folder, 'node_modules', name, ...parts);
}

/** The referee needs a newer Node than the program. */
export const refereeNode: string = pathInPackage(nodeName, 'bin', 'node');

/** Called by vitest, see `globalSetup`. Fails without the registry, unless all are there. */
export function setup(): void {
	const wanted = JSON.stringify({private: true, dependencies});
	const stamp = join(folder, 'installed.json');
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
	mkdirSync(folder, {recursive: true});
	writeFileSync(join(folder, 'package.json'), wanted);
	const argv = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
	execFileSync('npm', argv, {cwd: folder, stdio: 'inherit'});
	writeFileSync(stamp, wanted);
}
