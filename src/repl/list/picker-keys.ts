/** The keys of the picker. Other keys edit the query. */
import {type CommandOf, commandIn} from '../keys/key-bindings.ts';

const pickerBindings = [
	{chords: ['enter', 'ctrl+j'], command: 'resume'},
	{chords: ['escape'], command: 'cancel'},
	{chords: ['ctrl+c'], command: 'close'},
	{chords: ['ctrl+z'], command: 'suspend'},
	{chords: ['up', 'ctrl+p'], command: 'up'},
	{chords: ['down', 'ctrl+n'], command: 'down'},
	{chords: ['page-up'], command: 'page-up'},
	{chords: ['page-down'], command: 'page-down'},
	{chords: ['home'], command: 'first'},
	{chords: ['end'], command: 'last'},
	{chords: ['tab', 'ctrl+a'], command: 'toggle-scope'},
	{chords: ['right', 'ctrl+e'], command: 'toggle-preview'},
	{chords: ['left'], command: 'close-preview'},
	{chords: ['ctrl+r'], command: 'rename'},
	{chords: ['ctrl+d', 'delete'], command: 'delete'},
] as const;

export type PickerCommand = CommandOf<typeof pickerBindings>;

export function findPickerCommand(chord: string): PickerCommand | undefined {
	return commandIn(pickerBindings, chord);
}
