/** Which key does what. `/help keys` is printed from these rows. */
import type {EditorCommand} from './editor/commands.ts';

/** What a key can ask for besides editing. */
export type ReplCommand =
	| 'submit'
	| 'interrupt'
	| 'cancel'
	| 'delete-right-or-exit'
	| 'toggle-reasoning'
	| 'redraw'
	| 'move-up'
	| 'move-down'
	| 'history-older'
	| 'history-newer';

export type KeyBinding = {
	/** As `chordOf` writes them. */
	readonly chords: readonly string[];
	readonly command: ReplCommand | EditorCommand;
	readonly summary: string;
};

export const keyBindings: readonly KeyBinding[] = [
	{chords: ['enter'], command: 'submit', summary: 'send (a \\ at the end of the line: new line)'},
	{
		chords: ['ctrl+j', 'shift+enter', 'alt+enter', 'ctrl+enter'],
		command: 'insert-newline',
		summary: 'new line',
	},
	{
		chords: ['ctrl+c'],
		command: 'interrupt',
		summary:
			'stop the answer; clear the draft into the history; drop held prompts; twice on an empty prompt: leave',
	},
	{chords: ['escape'], command: 'cancel', summary: 'stop the answer'},
	{
		chords: ['ctrl+d'],
		command: 'delete-right-or-exit',
		summary: 'leave on an empty prompt, else delete to the right',
	},
	{
		chords: ['ctrl+o', 'alt+t'],
		command: 'toggle-reasoning',
		summary: 'show or hide the reasoning',
	},
	{chords: ['ctrl+l'], command: 'redraw', summary: 'draw the screen anew'},
	{
		chords: ['up'],
		command: 'move-up',
		summary: 'one row up, from the first row to the prompt before',
	},
	{
		chords: ['down'],
		command: 'move-down',
		summary: 'one row down, from the last row to the next prompt',
	},
	{chords: ['ctrl+p'], command: 'history-older', summary: 'the prompt before'},
	{chords: ['ctrl+n'], command: 'history-newer', summary: 'the next prompt'},
	{chords: ['left', 'ctrl+b'], command: 'move-left', summary: 'left'},
	{chords: ['right', 'ctrl+f'], command: 'move-right', summary: 'right'},
	{
		chords: ['alt+b', 'alt+left', 'ctrl+left'],
		command: 'move-word-left',
		summary: 'to the beginning of the word',
	},
	{
		chords: ['alt+f', 'alt+right', 'ctrl+right'],
		command: 'move-word-right',
		summary: 'to the end of the word',
	},
	{chords: ['home', 'ctrl+a'], command: 'move-line-start', summary: 'to the beginning of the line'},
	{chords: ['end', 'ctrl+e'], command: 'move-line-end', summary: 'to the end of the line'},
	{chords: ['backspace', 'ctrl+h'], command: 'delete-left', summary: 'delete to the left'},
	{chords: ['delete'], command: 'delete-right', summary: 'delete to the right'},
	{
		chords: ['ctrl+w'],
		command: 'delete-spaced-word-left',
		summary: 'delete back to the space before',
	},
	{
		chords: ['alt+backspace', 'ctrl+backspace'],
		command: 'delete-word-left',
		summary: 'delete the word to the left',
	},
	{chords: ['alt+d'], command: 'delete-word-right', summary: 'delete the word to the right'},
	{
		chords: ['ctrl+u'],
		command: 'delete-line-start',
		summary: 'delete to the beginning of the line',
	},
	{chords: ['ctrl+k'], command: 'delete-line-end', summary: 'delete to the end of the line'},
];

/** The command of a chord, or undefined. */
export function findCommand(chord: string): KeyBinding['command'] | undefined {
	return keyBindings.find(({chords}) => chords.includes(chord))?.command;
}
