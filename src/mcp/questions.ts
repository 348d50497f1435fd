/** Hands server questions to the running call. */
import {AsyncLocalStorage} from 'node:async_hooks';
import type {ElicitAnswer} from '../chat/elicitation.ts';
import {isJsonObject, type JsonObject} from '../json.ts';
import type {CallLimit} from './call-limit.ts';
import type {CallOptions} from './connection.ts';
import {readElicitation} from './read-elicitation.ts';

export type Call = Pick<CallOptions, 'elicit' | 'signal' | 'onDeclined'> & {
	readonly name: string;
	readonly values: JsonObject;
	readonly limit: CallLimit;
};

export interface Questions {
	/** Runs a call. Questions arriving in its own stream or result belong to it. */
	run<Result>(call: Call, work: () => Promise<Result>): Promise<Result>;
	/**
	 * Declines without a call, because no user expects a question then. In the older protocol a
	 * program does not say which call a question is about: it may be any running call, and all of
	 * them wait.
	 *
	 * @param params parameters of `elicitation/create`
	 */
	ask(params: JsonObject, signal: AbortSignal): Promise<ElicitAnswer>;
	/**
	 * Asks to open the pages named in a call's error. Returns whether the user opened them;
	 * undefined if the error is about something else.
	 */
	askForPages(error: unknown, call: Call): Promise<boolean | undefined>;
}

/** Shared by all calls running at the same time. */
const maxQuestions = 20;

/** @param report receives a line for each question not passed on */
export function createQuestions(server: string, report: (line: string) => void): Questions {
	const calls = new Set<Call>();
	const current = new AsyncLocalStorage<Call>();
	let asked = 0;

	/** @param asking the calls it may belong to */
	const pass = async (
		asking: readonly Call[],
		params: JsonObject,
		signal: AbortSignal,
	): Promise<ElicitAnswer> => {
		const call = asking.at(-1);
		const decline = (problem: string): ElicitAnswer => {
			report(`chat declined a question: ${problem}`);
			call?.onDeclined?.(problem);
			return {type: 'decline'};
		};
		if (call === undefined) return decline('no call is under way');
		if (asked >= maxQuestions) return decline(`there were ${maxQuestions} already`);
		asked++;
		const named = asking.map(({name, values}) => ({name, values}));
		const read = readElicitation(server, params, named);
		if ('problem' in read) return decline(read.problem);
		for (const {limit} of asking) limit.pause();
		try {
			return await call.elicit(read.request, AbortSignal.any([whenAllAbort(asking), signal]));
		} finally {
			for (const {limit} of asking) limit.resume();
		}
	};

	return {
		async run(call, work) {
			calls.add(call);
			try {
				return await current.run(call, work);
			} finally {
				calls.delete(call);
				if (calls.size === 0) asked = 0;
			}
		},
		async ask(params, signal) {
			const call = current.getStore();
			return await pass(
				call !== undefined && calls.has(call) ? [call] : [...calls],
				params,
				signal,
			);
		},
		async askForPages(error, call) {
			const {code, data} = error as {readonly code?: unknown; readonly data?: unknown};
			const pages = isJsonObject(data) ? data['elicitations'] : undefined;
			if (code !== pagesNeeded || !Array.isArray(pages) || pages.length === 0) return undefined;
			for (const page of pages) {
				const params = isJsonObject(page) ? page : {};
				const answer = await pass([call], {...params, mode: 'url'}, call.signal);
				if (answer.type !== 'accept') return false;
			}
			return true;
		},
	};
}

/** Returns a signal that aborts once all calls have. */
function whenAllAbort(calls: readonly Call[]): AbortSignal {
	const all = new AbortController();
	const check = () => {
		if (calls.every(({signal}) => signal.aborted)) all.abort(calls.at(-1)?.signal.reason);
	};
	check();
	for (const {signal} of calls) signal.addEventListener('abort', check, {once: true});
	return all.signal;
}

/** The older protocol's error for a call that first needs a page opened. */
const pagesNeeded = -32_042;
