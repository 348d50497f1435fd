/**
 * The built program, for tests that run it as users do. vitest builds it before all tests if it is
 * missing or older than its source.
 */
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readdirSync, realpathSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

export const builtProgram = join(root, 'bin', 'chat.js');

/** Called by vitest, see `globalSetup`. Returns what it calls at the end. */
export function setup(): () => void {
	if (!isFresh()) {
		const script = join(root, 'scripts', 'build.js');
		execFileSync(process.execPath, [script], {cwd: root, stdio: 'inherit'});
	}
	// All files of all tests are in one folder, whose name has what a path may have.
	const folder = mkdtempSync(join(realpathSync(tmpdir()), 'chat tests é-'));
	process.env['TMPDIR'] = folder;
	return () => rmSync(folder, {recursive: true, force: true, maxRetries: 5});
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
