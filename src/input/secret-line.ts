/**
 * One line typed at a terminal in raw mode, that nobody is to see: keys in, the line out. Knows
 * only what it takes to type or paste a key and to correct it.
 */

export type SecretLine = {
	/** What to do now. After `done` and `cancelled` nothing more is taken. */
	readonly state: 'typing' | 'done' | 'cancelled';
	readonly text: string;
};

export interface SecretLineReader {
	/** Takes what the terminal sent, cut anywhere. */
	push(text: string): SecretLine;
}

/** How far an escape sequence has come. */
type Sequence = 'none' | 'escape' | 'control' | 'single';

/** Where the next character takes it. */
const nextOf: Readonly<Record<Sequence, (character: string) => Sequence>> = {
	none: () => 'escape',
	escape: (character) => (character === '[' ? 'control' : character === 'O' ? 'single' : 'none'),
	control: (character) => (/[@-~]/.test(character) ? 'none' : 'control'),
	single: () => 'none',
};

/** Enter, and Ctrl-D. */
const ends = ['\r', '\n', '\x04'];

/** What a key does to the line, besides those that end it. */
const edits: Readonly<Record<string, (text: string) => string>> = {
	'\x7f': removeLast,
	'\b': removeLast,
	'\x15': () => '',
	'\x17': () => '',
};

function removeLast(text: string): string {
	return [...text].slice(0, -1).join('');
}

export function createSecretLineReader(): SecretLineReader {
	let state: SecretLine['state'] = 'typing';
	let text = '';
	let sequence: Sequence = 'none';
	/** What the sequence holds so far. */
	let parameters = '';
	let isPasting = false;

	const takeSequence = (character: string) => {
		parameters = sequence === 'control' ? parameters + character : '';
		sequence = nextOf[sequence](character);
		if (sequence !== 'none') return;
		if (parameters === '200~') isPasting = true;
		if (parameters === '201~') isPasting = false;
	};
	const takeKey = (character: string) => {
		if (character === '\x03') state = 'cancelled';
		else if (isPasting) text += character;
		else if (ends.includes(character)) state = 'done';
		else if (edits[character] !== undefined) text = edits[character](text);
		else if (character >= ' ') text += character;
	};
	const take = (character: string) => {
		// No sequence holds a control character: a lone Escape must not swallow a Ctrl-C.
		const isInside = sequence !== 'none' && character >= ' ';
		if (isInside || character === '\x1b') takeSequence(character);
		else takeKey(character);
	};
	return {
		push(typed) {
			for (const character of typed) if (state === 'typing') take(character);
			return {state, text};
		},
	};
}
