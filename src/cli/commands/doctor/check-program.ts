/** Checks the program itself: its version, its place, and what runs it. */
import {existsSync, realpathSync} from 'node:fs';
import {arch, release} from 'node:os';
import {dirname, join, sep} from 'node:path';
import type {Environment} from '../../../environment.ts';
import {compiledCodePath} from '../../../settings/files/config-path.ts';
import {version} from '../../../version.ts';
import type {Checkup} from './checkup.ts';
import {type Finding, note, ok} from './finding.ts';

export async function checkProgram({environment}: Checkup): Promise<readonly Finding[]> {
	const {program, platform} = environment;
	const isSingleFile = await isOneFile();
	const path = isSingleFile ? program.nodePath : resolveLinks(program.path);
	return [
		ok('version', `chat ${version}`),
		ok('installed', isSingleFile ? `as a single file, ${path}` : describeInstall(path)),
		ok('Node', `${program.nodeVersion}${isSingleFile ? '' : ` at ${program.nodePath}`}`),
		ok('system', `${platform} ${release()} ${arch()}`),
		isSingleFile ? ok(cacheName, 'in the file itself') : describeCache(environment),
	];
}

async function isOneFile(): Promise<boolean> {
	// Older versions of Node do not have it.
	const sea = await import('node:sea').catch(() => undefined);
	return sea?.isSea() === true;
}

function resolveLinks(path: string | undefined): string | undefined {
	try {
		return path && realpathSync(path);
	} catch {
		return path;
	}
}

/** How the program came to its place. The first row that fits counts. */
const installs: ReadonlyArray<readonly [fits: (path: string) => boolean, words: string]> = [
	[(path) => path.includes(`${sep}_npx${sep}`), 'by npx'],
	[(path) => path.includes(`${sep}node_modules${sep}`), 'by npm'],
	[(path) => existsSync(join(dirname(dirname(path)), '.git')), 'as a clone'],
	[() => true, 'as an unpacked package'],
];

function describeInstall(path: string | undefined): string {
	if (path === undefined) return 'in an unknown place';
	const words = installs.find(([fits]) => fits(path))?.[1];
	return `${words}, ${path}`;
}

const cacheName = 'compiled code';

function describeCache(environment: Environment): Finding {
	const {nodeVersion} = environment.program;
	const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
	const path = compiledCodePath(environment);
	if (major < 22 || (major === 22 && minor < 8)) {
		return ok(cacheName, 'not kept: that needs Node 22.8 or newer');
	}
	if (environment.variables['NODE_DISABLE_COMPILE_CACHE']) {
		return note(cacheName, 'not kept, so each start is slower: NODE_DISABLE_COMPILE_CACHE is set');
	}
	if (path === undefined) return note(cacheName, 'not kept: there is no home folder');
	return ok(
		cacheName,
		existsSync(path) ? `kept in ${path}` : `kept in ${path} from the next run on`,
	);
}
