/** When a turn is signalled, and how; that it reaches a terminal is tested in one. */
import {Writable} from 'node:stream';
import {describe, expect, test} from 'vitest';
import {denyUnattended} from '../../src/chat/approvals.ts';
import {beginTurn, createConversation} from '../../src/chat/conversation.ts';
import {declineElicitation} from '../../src/chat/elicitation.ts';
import type {ChatEventBatch} from '../../src/chat/event.ts';
import {createNotifier} from '../../src/cli/run/repl/notify.ts';
import type {TurnRunner} from '../../src/cli/run/turn-runner.ts';
import {createOutputStream, type Variables} from '../../src/environment.ts';
import {ChatError} from '../../src/errors.ts';
import {createRequest} from '../helpers/approval-request.ts';
import {formOf} from '../helpers/elicitations.ts';

type Watched = {
	readonly mode?: 'off' | 'bell' | 'auto';
	readonly variables?: Variables;
	readonly isTerminal?: boolean;
	/** How long the turn takes. */
	readonly ms?: number;
	readonly isFocused?: boolean;
	readonly isStopped?: boolean;
	readonly isAsked?: boolean;
	/** Whether a server asks. */
	readonly isElicited?: boolean;
	readonly end?: ChatEventBatch;
};

/** Returns what a turn writes to the terminal. */
async function signalsOf(watched: Watched): Promise<string> {
	const {mode = 'auto', variables = {}, isTerminal = true, ms = 10_000} = watched;
	let written = '';
	let time = 0;
	const sink = new Writable({
		write(chunk, _, done) {
			written += chunk;
			done();
		},
	});
	const stdout = createOutputStream(sink, isTerminal);
	const notifier = createNotifier({notify: mode}, {stdout, variables, now: () => time});
	if (watched.isFocused !== undefined) notifier.onFocus?.(watched.isFocused);
	const stop = new AbortController();
	const runTurn: TurnRunner = async function* (_conversation, _options, signal, questions) {
		if (watched.isAsked === true) await questions.approve(createRequest(), signal);
		if (watched.isElicited === true) await questions.elicit(formOf(), signal);
		time += ms;
		if (watched.isStopped === true) stop.abort();
		yield watched.end ?? [{type: 'turn-end'}];
	};
	const start = {
		id: '1',
		prompt: {text: 'p', attachments: [], folds: []},
		model: 'm',
		startedAt: 0,
	};
	const conversation = beginTurn(createConversation(), start, 0);
	const options = {model: 'm', isStreaming: true};
	const questions = {approve: denyUnattended, elicit: declineElicitation};
	const {withSignals, hear, end} = notifier.watch(stop.signal);
	const asked = withSignals(questions);
	for await (const batch of runTurn(conversation, options, stop.signal, asked)) hear(batch);
	end(true);
	return written;
}

const bell = '\u0007';
const failure = [{type: 'error', error: new ChatError('unavailable', 'gone')}] as const;

describe('a turn', () => {
	test.each<readonly [name: string, watched: Watched, written: string]>([
		['is not signalled in a pipe', {mode: 'bell', isTerminal: false}, ''],
		['rings, however short', {mode: 'bell', ms: 1}, bell],
		['is not signalled if it was short', {ms: 9_999}, ''],
		['is not signalled to a window with the focus', {isFocused: true}, ''],
		['is signalled to a window without the focus', {isFocused: false}, bell],
		['is signalled when it asks, however short', {isAsked: true, ms: 1}, bell],
		['is not signalled to the user who stopped it', {isStopped: true}, ''],
	])('%s', async (_, watched, written) => {
		expect(await signalsOf(watched)).toBe(written);
	});

	test.each<readonly [name: string, variables: Variables, written: string]>([
		['kitty', {TERM: 'xterm-kitty'}, '\u001b]99;;chat: the answer is ready\u0007'],
		[
			'tmux in WezTerm',
			{TMUX: 'x', TERM_PROGRAM: 'WezTerm'},
			`\u001bPtmux;\u001b\u001b]9;chat: the answer is ready\u0007\u001b\\${bell}`,
		],
	])('is signalled as %s understands it', async (_, variables, written) => {
		expect(await signalsOf({variables})).toBe(written);
	});

	test('that failed is not called an answer', async () => {
		const variables = {TERM: 'xterm-kitty'};
		expect(await signalsOf({variables, end: failure})).toContain('chat: the answer failed');
		expect(await signalsOf({variables, isAsked: true, ms: 1})).toContain(
			'chat: a tool call waits for approval',
		);
		expect(await signalsOf({variables, isElicited: true, ms: 1})).toContain(
			'chat: a server asks for an answer',
		);
	});
});
