/** Reads the key for `chat auth set`, typed or piped in. */
import type {Environment} from '../environment.ts';
import {ChatError} from '../errors.ts';
import {readStdin} from '../input/read-bytes.ts';
import {printNotice, printPrompt} from '../output/print.ts';
import {chordOf, type KeyInput} from '../terminal/keys/key-input.ts';
import {createKeyReader, type KeySource} from '../terminal/keys/key-reader.ts';

/** More than any key has. */
const maxBytes = 65_536;

/** @throws {ChatError} `interrupted` on Ctrl-C; `usage` without a terminal or a pipe */
export async function readKeyInput(origin: string, environment: Environment): Promise<string> {
	const {stdin} = environment;
	if (stdin.kind === 'terminal') return await askForKey(origin, environment);
	if (stdin.kind === 'data') return await readPipe(environment);
	throw new ChatError('usage', 'no key was piped in, and there is no terminal to ask for one', {
		hint: {code: 'own-words', words: 'Run it in a terminal, or: chat auth set < key.txt'},
	});
}

async function askForKey(origin: string, environment: Environment): Promise<string> {
	const {stdin} = environment;
	const prompt = `API key for ${origin} (not shown as you type): `;
	// Before the prompt, so that not even an early key is echoed.
	stdin.setRawMode?.(true);
	try {
		await printPrompt(prompt, environment);
		return await readSecretLine(stdin.read());
	} finally {
		stdin.setRawMode?.(false);
		await printPrompt('\n', environment);
	}
}

const endKeys: ReadonlySet<string> = new Set(['enter', 'ctrl+j', 'ctrl+d']);

/** Keys that edit the line. All others are ignored. */
const edits: Readonly<Record<string, (text: string) => string>> = {
	backspace: (text) => [...text].slice(0, -1).join(''),
	'ctrl+u': () => '',
	'ctrl+w': () => '',
};

function readSecretLine(stream: KeySource): Promise<string> {
	const interrupted = new ChatError('interrupted', 'interrupted (SIGINT)', {signal: 'SIGINT'});
	return new Promise((resolve, reject) => {
		let text = '';
		let isOver = false;
		const end = (settle: () => void) => {
			isOver = true;
			reader.stop();
			settle();
		};
		const takeKey = (key: KeyInput) => {
			if (key.type !== 'key') {
				text += key.text;
				return;
			}
			const chord = chordOf(key);
			if (chord === 'ctrl+c') end(() => reject(interrupted));
			else if (endKeys.has(chord)) end(() => resolve(text));
			else text = edits[chord]?.(text) ?? text;
		};
		const reader = createKeyReader(stream, {
			onKeys(keys) {
				for (const key of keys) if (!isOver) takeKey(key);
			},
			onEnd: () => resolve(text),
		});
		reader.start();
	});
}

async function readPipe(environment: Environment): Promise<string> {
	const message = 'waiting for the key on stdin';
	const onWaiting = () => printNotice({code: 'waiting-for-stdin', message}, environment);
	const bytes = await readStdin(environment.stdin, {onWaiting, maxBytes});
	return Buffer.from(bytes).toString('utf8');
}
