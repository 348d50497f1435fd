/** `/connect` and `/profile`: the conversation goes on with another service. */
import type {ChatError} from '../../errors.ts';
import {print, printNotice, type Update, update} from '../action.ts';
import {showNotice} from '../popup.ts';
import type {SwitchedService} from '../services.ts';
import type {ReplState} from '../state.ts';
import {startTask} from '../task.ts';
import {withOptions} from '../turn/reduce-turn.ts';
import type {SlashCommand} from './command.ts';

export const serviceCommands: readonly SlashCommand[] = [
	{
		name: 'connect',
		group: 'settings',
		summary: 'connect a service, and go on with it',
		needsIdle: true,
		run: connect,
	},
	{
		name: 'profile',
		group: 'settings',
		parameters: '[name]',
		summary: "go on with a profile's service",
		needsIdle: true,
		opensList: true,
		complete: (query) => ({query, source: {type: 'profiles'}}),
		run: openProfile,
	},
];

function connect(state: ReplState): Update {
	return startTask(state, {
		name: 'switch-service',
		hasTerminal: true,
		run: ({connectService}) => connectService(),
		done: (current, switched) =>
			switched === undefined
				? update(current, printNotice(unchanged))
				: goOnWith(current, switched),
		fail: printFailure,
	});
}

function openProfile(state: ReplState, name: string): Update {
	if (name === '') return showNotice(state, '/profile needs a profile name');
	return startTask(state, {
		name: 'switch-service',
		hasTerminal: true,
		run: (services) => services.openProfile(name),
		done: goOnWith,
		fail: printFailure,
	});
}

function printFailure(state: ReplState, error: ChatError): Update {
	return update(
		state,
		error.kind === 'interrupted' ? printNotice(unchanged) : print({type: 'error', error}),
	);
}

const unchanged = 'nothing was changed';

function goOnWith(state: ReplState, switched: SwitchedService): Update {
	const {title, model, options, isSaved, notices} = switched;
	return update(
		{
			...state,
			isSaved,
			knownModels: new Map(),
			menu: undefined,
			options: {...withOptions(state.options, options), model},
		},
		...notices.map((notice) => printNotice(notice)),
		printNotice(`${model} at ${title} answers from here on`),
	);
}
