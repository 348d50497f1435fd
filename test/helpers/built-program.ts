/**
 * The built program, for tests that run it as users do. vitest builds it before all tests if it is
 * missing or older than its source.
 */
import {execFileSync} from 'node:child_process';
import {readdirSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

export const builtProgram = join(root, 'bin', 'chat.js');

/** Called by vitest, see `globalSetup`. */
export function setup(): void {
	if (isFresh()) return;
	execFileSync(process.execPath, [join(root, 'scripts', 'build.js')], {
		cwd: root,
		stdio: 'inherit',
	});
}

function isFresh(): boolean {
	const builtAt = modifiedAt(join(root, 'dist', 'main.js'));
	const folder = join(root, 'src');
	const names = readdirSync(folder, {recursive: true, encoding: 'utf8'});
	const paths = [join(root, 'package.json'), ...names.map((name) => join(folder, name))];
	return paths.every((path) => modifiedAt(path) <= builtAt);
}

/** Returns 0 for a file that does not exist. */
function modifiedAt(path: string): number {
	return statSync(path, {throwIfNoEntry: false})?.mtimeMs ?? 0;
}
