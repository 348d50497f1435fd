/** A home folder with config and credentials files, for one test. */
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';

export type SettingsHome = {
	/** The source for `runChat` and the settings. */
	readonly source: {readonly home: string; readonly platform: 'linux'};
	readonly home: string;
	/** The folder of both files. */
	readonly directory: string;
	readonly configPath: string;
	readonly credentialsPath: string;
	/** The parsed files; undefined if missing. */
	config(): unknown;
	credentials(): unknown;
};

/** @param files values to write as JSON, or the exact text */
export function createHome(
	files: {readonly config?: unknown; readonly credentials?: unknown} = {},
): SettingsHome {
	const home = mkdtempSync(join(tmpdir(), 'chat-home-'));
	onTestFinished(() => rmSync(home, {recursive: true, force: true}));
	const directory = join(home, '.config', 'chat');
	const pathOf = (name: string) => join(directory, `${name}.json`);
	for (const [name, content] of Object.entries(files)) {
		mkdirSync(directory, {recursive: true, mode: 0o700});
		const text = typeof content === 'string' ? content : JSON.stringify(content);
		writeFileSync(pathOf(name), text, {mode: 0o600});
	}
	const read = (path: string): unknown =>
		existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
	return {
		source: {home, platform: 'linux'},
		home,
		directory,
		configPath: pathOf('config'),
		credentialsPath: pathOf('credentials'),
		config: () => read(pathOf('config')),
		credentials: () => read(pathOf('credentials')),
	};
}

/** Returns the permissions of a file, as in `600`. */
export function modeOf(path: string): string {
	return (statSync(path).mode & 0o777).toString(8);
}
