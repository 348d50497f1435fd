/** Reads API keys from a variable, a file or a command, checks them, and never shows them. */
import {ChatError} from '../../errors.ts';
import type {Hint} from '../../hint.ts';
import {looksLikeKey} from '../../redact.ts';

/**
 * Reads a file that a setting names to its end, as UTF-8. It may be a pipe that nothing comes through.
 *
 * @param name for messages: `the certificates in ca.pem`
 * @param hint the next step if it cannot be read
 * @throws {ChatError} `input` when it cannot be read, `data` when it is too large; the reason of an
 * abort
 */
export type ReadText = (path: string, name: string, hint?: Hint) => Promise<string>;

/** A program that prints a key, and its arguments. */
export type KeyCommand = {
	readonly argv: readonly [string, ...string[]];
	/** The folder that it runs in. */
	readonly directory: string;
};

/**
 * Runs a command and returns what it prints.
 *
 * @throws {ChatError} `config` when it cannot be started, `auth` when it fails; the reason of an abort
 */
export type RunKeyCommand = (command: KeyCommand) => Promise<string>;

export type KeyReaders = {readonly readText: ReadText; readonly runCommand: RunKeyCommand};

export type Key = {
	readonly apiKey: string;
	/** The variable, file or command it came from. */
	readonly keySource: string;
};

/** How the key of a service is known: read from its source, given by the user, or left unread. */
export type KnownKey = KeyReaders | Key | 'unread';

/** A key that is there, and not read yet. */
export type KeyPlace = {
	readonly type: 'variable' | 'file' | 'command' | 'store';
	/** The place as part of a sentence: `CHAT_API_KEY`, `the file key.txt`. */
	readonly keySource: string;
	/** The path of a file as it was given. */
	readonly path?: string;
	/** @throws {ChatError} as `checkKey` does; whatever the reader throws */
	read(readers: KeyReaders): Promise<string> | string;
};

export function keyInText(type: KeyPlace['type'], keySource: string, text: string): KeyPlace {
	return {type, keySource, read: () => checkKey(text, keySource)};
}

export function keyInFile(path: string) {
	const keySource = looksLikeKey(path) ? 'a file named like a key' : `the file ${path}`;
	return {
		type: 'file',
		keySource,
		path,
		async read({readText}: Pick<KeyReaders, 'readText'>) {
			return checkKey(await readText(path, `the key from ${keySource}`, keyFileHint), keySource);
		},
	} as const satisfies KeyPlace;
}

export function keyOfCommand(command: KeyCommand): KeyPlace {
	const keySource = `the command ${command.argv[0]}`;
	return {
		type: 'command',
		keySource,
		async read({runCommand}) {
			const [line = ''] = (await runCommand(command)).split('\n', 1);
			return checkKey(line, `the output of ${keySource}`, keyCommandHint);
		},
	};
}

const keyFileHint = 'Name a file that contains the key. To store the key itself: chat auth set';

export const keyCommandHint =
	'It is api-key-command in the config file. Run it yourself: it must print the key within 10 s.';

/**
 * Returns a key without white space around it. It must fit into a header.
 *
 * @param emptyHint the next step if there is no key
 * @throws {ChatError} `auth`, without the text
 */
export function checkKey(
	text: string,
	source: string,
	emptyHint = 'Put the API key there, or unset it.',
): string {
	const key = text.trim();
	if (key === '') {
		throw new ChatError('auth', `${source} is empty`, {hint: emptyHint});
	}
	if (/^[\x21-\x7e]+$/.test(key)) return key;
	throw new ChatError('auth', `${source} does not contain a valid API key`, {
		hint: 'A key is one line of printable ASCII without spaces.',
	});
}
