/**
 * The built program, for tests that run it as users do. vitest builds it before all tests if it is
 * missing or older than its source.
 */
import {execFileSync} from 'node:child_process';
import {
	mkdtempSync,
	readdirSync,
	realpathSync,
	rmSync,
	statfsSync,
	statSync,
	writeFileSync,
} from 'node:fs';
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
	const folder = mkdtempSync(join(realpathSync(placeOfFiles()), 'chat tests é-'));
	process.env['TMPDIR'] = folder;
	return () => rmSync(folder, {recursive: true, force: true, maxRetries: 5});
}

const leastBytes = 500_000_000;

/** Memory where there is some: tests make thousands of small files, and some of them are run. */
function placeOfFiles(): string {
	if (process.env['TMPDIR'] !== undefined) return tmpdir();
	const memory = '/dev/shm';
	const probe = join(memory, `chat-probe-${process.pid}`);
	try {
		writeFileSync(probe, '#!/bin/sh\n', {mode: 0o700});
		execFileSync(probe);
		const {bavail, bsize} = statfsSync(memory);
		return bavail * bsize > leastBytes ? memory : tmpdir();
	} catch {
		return tmpdir();
	} finally {
		rmSync(probe, {force: true});
	}
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
