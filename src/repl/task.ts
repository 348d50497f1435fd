/** Starts work outside the state. How it ends comes back as one action, whatever the work was. */
import {type ChatError, toChatError} from '../errors.ts';
import {type Outcome, printNotice, type Task, type Update, update} from './action.ts';
import {showNotice} from './popup.ts';
import type {ReplServices} from './services.ts';
import type {ReplState} from './state.ts';

type Work<Result> = (services: ReplServices, state: ReplState) => Promise<Result>;

type TaskOptions = Pick<Task, 'isBrief' | 'hasTerminal'> & {
	/** Reduces a failure. */
	readonly fail: (error: ChatError) => Outcome;
};

/** Starts a task, whose name stays in `state.tasks` until it has ended. */
export function startTask(
	state: ReplState,
	name: string,
	work: Work<Outcome>,
	{fail, ...options}: TaskOptions,
): Update {
	const run: Task['run'] = async (services, current) => {
		const outcome = await work(services, current).catch((error) => fail(toChatError(error)));
		return {type: 'task-ended', name, outcome};
	};
	return update({...state, tasks: [...state.tasks, name]}, {type: 'task', name, ...options, run});
}

/** Starts a task that ends with a line about it. A brief one is shown only until the next key. */
export function startReport(
	state: ReplState,
	name: string,
	work: Work<string>,
	options: Pick<Task, 'isBrief'> = {},
): Update {
	const say = (text: string) => (current: ReplState) =>
		options.isBrief ? showNotice(current, text) : update(current, printNotice(text));
	const report: Work<Outcome> = async (services, current) => say(await work(services, current));
	return startTask(state, name, report, {...options, fail: ({message}) => say(message)});
}

/** Ends a task, and changes what it is about. */
export function endTask(state: ReplState, name: string, outcome: Outcome): Update {
	const index = state.tasks.indexOf(name);
	const tasks = index === -1 ? state.tasks : state.tasks.toSpliced(index, 1);
	return outcome({...state, tasks});
}

/** Whether attachments are being read. */
export function isAttaching({tasks}: ReplState): boolean {
	return tasks.includes('attach');
}

/** Whether another saved conversation is being read; prompts wait for it. */
export function isOpening({tasks}: ReplState): boolean {
	return tasks.includes('open-session');
}
