/** Keys that edit a line at its end. */
import type {KeyInput} from '../../terminal/keys/key-input.ts';

export const endChords: ReadonlySet<string> = new Set(['enter', 'ctrl+j', 'ctrl+d']);

const edits: Readonly<Record<string, (text: string) => string>> = {
	backspace: (text) => [...text].slice(0, -1).join(''),
	'ctrl+u': () => '',
	'ctrl+w': (text) => text.replace(/\S*\s*$/, ''),
};

/** Returns the text after a key; undefined if the key does not edit. */
export function editLine(text: string, key: KeyInput, chord: string): string | undefined {
	if (key.type !== 'key') return text + key.text.replaceAll('\n', ' ');
	if (chord === 'space') return `${text} `;
	return edits[chord]?.(text);
}
