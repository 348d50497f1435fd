/** The key bindings; `/help keys` and `docs/interactive.md` are printed from these rows. */
import type {EditorCommand} from '../editor/change-editor.ts';

type Binding = {
	/** Chords as `chordOf` writes them; after Ctrl-X and a space, a second key. */
	readonly chords: readonly string[];
	readonly command: string;
	readonly summary: string;
	/** Listed by `?`; the other keys move the cursor and delete, as in a shell. */
	readonly isBasic?: true;
};

/** A key as shown in the help. */
export type KeyHelp = Pick<Binding, 'chords' | 'summary'>;

export const keyBindings = [
	{chords: ['enter'], command: 'submit', summary: 'send (after a \\: new line)', isBasic: true},
	{
		chords: ['ctrl+j', 'shift+enter', 'alt+enter', 'ctrl+enter'],
		command: 'insert-newline',
		summary: 'new line',
		isBasic: true,
	},
	{
		chords: ['ctrl+c'],
		command: 'interrupt',
		summary: 'stop the answer, clear the draft or queue; twice: exit',
		isBasic: true,
	},
	{
		chords: ['escape'],
		command: 'cancel',
		summary: 'stop the answer, close help; twice: edit a prompt',
		isBasic: true,
	},
	{
		chords: ['ctrl+d'],
		command: 'delete-right-or-exit',
		summary: 'exit (during an answer: twice), or delete to the right',
		isBasic: true,
	},
	{
		chords: ['ctrl+o', 'alt+t'],
		command: 'open-fold',
		summary: 'open the reasoning, then the tool calls',
		isBasic: true,
	},
	{
		chords: ['ctrl+v'],
		command: 'paste-clipboard',
		summary: 'paste the clipboard; an image is attached',
		isBasic: true,
	},
	{chords: ['alt+c'], command: 'copy-answer', summary: 'copy the last answer', isBasic: true},
	{
		chords: ['ctrl+g', 'ctrl+x ctrl+e'],
		command: 'edit-draft',
		summary: 'edit the draft in your editor',
		isBasic: true,
	},
	{chords: ['ctrl+l'], command: 'redraw', summary: 'clear the screen'},
	{chords: ['ctrl+z'], command: 'suspend', summary: 'suspend; fg in the shell resumes'},
	{
		chords: ['up'],
		command: 'move-up',
		summary: 'row above, or previous prompt',
		isBasic: true,
	},
	{chords: ['down'], command: 'move-down', summary: 'row below, or next prompt', isBasic: true},
	{chords: ['alt+up'], command: 'edit-queued', summary: 'take the last queued prompt back'},
	{chords: ['ctrl+p'], command: 'history-older', summary: 'queued or previous prompt'},
	{chords: ['ctrl+n'], command: 'history-newer', summary: 'next prompt'},
	{
		chords: ['ctrl+r'],
		command: 'search-history',
		summary: 'search earlier prompts',
		isBasic: true,
	},
	{
		chords: ['tab'],
		command: 'complete',
		summary: 'complete a command, its argument, or a path',
		isBasic: true,
	},
	{chords: ['left', 'ctrl+b'], command: 'move-left', summary: 'character to the left'},
	{chords: ['right', 'ctrl+f'], command: 'move-right', summary: 'character to the right'},
	{
		chords: ['alt+b', 'alt+left', 'ctrl+left'],
		command: 'move-word-left',
		summary: 'start of the word',
	},
	{
		chords: ['alt+f', 'alt+right', 'ctrl+right'],
		command: 'move-word-right',
		summary: 'end of the word',
	},
	{chords: ['home', 'ctrl+a'], command: 'move-line-start', summary: 'start of the line'},
	{chords: ['end', 'ctrl+e'], command: 'move-line-end', summary: 'end of the line'},
	{
		chords: ['backspace', 'ctrl+h', 'shift+backspace'],
		command: 'delete-left',
		summary: 'delete the character to the left',
	},
	{chords: ['delete'], command: 'delete-right', summary: 'delete the character to the right'},
	{
		chords: ['ctrl+w'],
		command: 'delete-whitespace-word-left',
		summary: 'delete the previous word (to a space)',
	},
	{
		chords: ['alt+backspace', 'ctrl+backspace'],
		command: 'delete-word-left',
		summary: 'delete the previous word',
	},
	{chords: ['alt+d'], command: 'delete-word-right', summary: 'delete the next word'},
	{chords: ['ctrl+u'], command: 'delete-line-start', summary: 'delete to the start of the line'},
	{chords: ['ctrl+k'], command: 'delete-line-end', summary: 'delete to the end of the line'},
	{
		chords: ['ctrl+y'],
		command: 'yank',
		summary: 'insert the last deleted word or line',
	},
	{
		chords: ['alt+y'],
		command: 'yank-older',
		summary: 'after Ctrl-Y: insert the deletion before it',
	},
	{chords: ['ctrl+_', 'ctrl+/'], command: 'undo', summary: 'undo the last change'},
	{chords: ['alt+_', 'alt+/'], command: 'redo', summary: 'redo what was undone'},
] as const satisfies readonly Binding[];

export type BoundCommand = CommandOf<typeof keyBindings>;

/** Key commands, except for text editing. */
export type ReplCommand = Exclude<BoundCommand, EditorCommand>;

/** Search keys. Those deleting to the left change the query. */
export const searchBindings = [
	{chords: ['ctrl+r', 'up', 'ctrl+p'], command: 'older', summary: 'in a search: older match'},
	{chords: ['ctrl+s', 'down', 'ctrl+n'], command: 'newer', summary: 'in a search: newer match'},
	{
		chords: ['enter', 'tab'],
		command: 'accept',
		summary: 'in a search: put the match into the editor',
	},
	{
		chords: ['escape', 'ctrl+c', 'ctrl+g'],
		command: 'cancel',
		summary: 'in a search: return to the draft',
	},
] as const satisfies readonly Binding[];

export type SearchCommand = CommandOf<typeof searchBindings>;

/** Keys for a list below a text, where other keys move the cursor. */
export const arrowBindings = [
	{chords: ['up', 'ctrl+p'], command: 'above', summary: 'in a list, help or reasoning: row above'},
	{
		chords: ['down', 'ctrl+n'],
		command: 'below',
		summary: 'in a list, help or reasoning: row below',
	},
] as const satisfies readonly Binding[];

/** Keys for any other list. */
export const listBindings = [
	...arrowBindings,
	{chords: ['page-up'], command: 'page-above', summary: 'in a list, help or reasoning: page above'},
	{
		chords: ['page-down'],
		command: 'page-below',
		summary: 'in a list, help or reasoning: page below',
	},
	{chords: ['home'], command: 'first', summary: 'in a list, help or reasoning: first row'},
	{chords: ['end'], command: 'last', summary: 'in a list, help or reasoning: last row'},
] as const satisfies readonly Binding[];

export type ListCommand = CommandOf<typeof listBindings>;

/** Menu keys, besides the arrows. Other keys keep their meaning. */
export const menuBindings = [
	{chords: ['tab'], command: 'complete', summary: 'in a menu: complete with the selected row'},
	{chords: ['enter'], command: 'choose', summary: 'in a menu: run or insert the selected row'},
	{chords: ['escape'], command: 'close', summary: 'in a menu: close it'},
] as const satisfies readonly Binding[];

/** Tree keys, besides list keys. Any other key closes the tree. */
export const treeBindings = [
	{chords: ['enter'], command: 'choose', summary: 'in the tree: continue after that turn'},
	{chords: ['escape', 'ctrl+c', 'ctrl+g'], command: 'close', summary: 'in the tree: close it'},
] as const satisfies readonly Binding[];

/** Session picker keys, besides list keys. Other keys edit the query. */
export const pickerBindings = [
	{chords: ['enter', 'ctrl+j'], command: 'resume', summary: 'in /sessions: continue it'},
	{
		chords: ['escape'],
		command: 'cancel',
		summary: 'in /sessions: clear the search, or close the list',
	},
	{chords: ['ctrl+c'], command: 'close', summary: 'in /sessions: close the list'},
	{chords: ['ctrl+z'], command: 'suspend', summary: 'in /sessions: suspend'},
	{
		chords: ['tab', 'ctrl+a'],
		command: 'toggle-scope',
		summary: 'in /sessions: list this folder, or all folders',
	},
	{
		chords: ['right', 'left', 'ctrl+e'],
		command: 'toggle-preview',
		summary: 'in /sessions: show or hide the last turns',
	},
	{chords: ['ctrl+r'], command: 'rename', summary: 'in /sessions: change the title'},
	{chords: ['ctrl+d', 'delete'], command: 'delete', summary: 'in /sessions: delete it'},
] as const satisfies readonly Binding[];

export type PickerCommand = CommandOf<typeof pickerBindings>;

/** Question keys, besides arrows and choice letters. No other key does anything. */
export const questionBindings = [
	{chords: ['enter'], command: 'choose', summary: 'in a question: take the selected choice'},
] as const satisfies readonly Binding[];

/** Keys for an open fold, besides list keys, with an empty draft. */
export const foldBindings = [
	{chords: ['escape'], command: 'close', summary: 'in what Ctrl-O has opened: close it'},
] as const satisfies readonly Binding[];

/** All keys, for the help. */
export const allBindings: readonly KeyHelp[] = [
	...keyBindings,
	...searchBindings,
	...listBindings,
	...menuBindings,
	...treeBindings,
	...pickerBindings,
	...questionBindings,
	...foldBindings,
];

export type CommandOf<Bindings extends ReadonlyArray<{readonly command: string}>> =
	Bindings[number]['command'];

/** Returns a chord's command outside all lists. */
export function findCommand(chord: string): BoundCommand | undefined {
	return commandIn(keyBindings, chord);
}

export function commandIn<Command>(
	bindings: ReadonlyArray<{readonly chords: readonly string[]; readonly command: Command}>,
	chord: string,
): Command | undefined {
	return bindings.find(({chords}) => chords.includes(chord))?.command;
}
