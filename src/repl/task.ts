/** Starts work outside the state, reporting its outcome as one action. */
import {type ChatError, toChatError} from '../errors.ts';
import {type Outcome, printNotice, type Task, type Update, update} from './action.ts';
import {showNotice} from './popup.ts';
import type {ReplServices} from './services.ts';
import type {ReplState} from './state.ts';

type TaskOptions<Result> = Pick<Task, 'name' | 'isBrief' | 'hasTerminal'> & {
	run(services: ReplServices, state: ReplState, signal: AbortSignal): Promise<Result>;
	/** Changes the state once the work is done. */
	done(state: ReplState, result: Result): Update;
	fail(state: ReplState, error: ChatError): Update;
};

/** Starts a task, whose name stays in `state.tasks` until it ends. */
export function startTask<Result>(
	state: ReplState,
	{run, done, fail, ...task}: TaskOptions<Result>,
): Update {
	const {name} = task;
	const runToEnd: Task['run'] = async (services, current, signal) => {
		let outcome: Outcome;
		try {
			const result = await run(services, current, signal);
			outcome = (ended) => done(ended, result);
		} catch (error) {
			outcome = (ended) => fail(ended, toChatError(error));
		}
		return {type: 'task-ended', name, outcome};
	};
	const effect: Task = {type: 'task', ...task, run: runToEnd};
	return update({...state, tasks: [...state.tasks, name]}, effect);
}

/** Starts a task reporting one line. A brief one is shown only until the next key. */
export function startReport(
	state: ReplState,
	task: Omit<TaskOptions<string>, 'done' | 'fail'>,
): Update {
	const done = task.isBrief
		? showNotice
		: (ended: ReplState, text: string) => update(ended, printNotice(text));
	return startTask(state, {...task, done, fail: (ended, {message}) => done(ended, message)});
}

/** Ends a task, applying its change. */
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

/** Whether a summary is being written, or waits in the editor. */
export function isCompacting({tasks, editing}: ReplState): boolean {
	return tasks.includes(compactTask) || editing?.summary !== undefined;
}

export const compactTask = 'compact';

/** Whether prompts have to wait for something besides an answer. */
export function isBusy(state: ReplState): boolean {
	return isOpening(state) || isCompacting(state);
}
