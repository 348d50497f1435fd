/** Questions of tools during their calls: one at a time, and declined where nobody is. */
import {expect, test} from 'vitest';
import type {ElicitAnswer, Elicitation} from '../../src/chat/elicitation.ts';
import {declineElicitation, type Elicit} from '../../src/chat/elicitation.ts';
import type {ChatEvent} from '../../src/chat/event.ts';
import {oneAtATime} from '../../src/chat/one-at-a-time.ts';
import {runToolCalls} from '../../src/chat/run-tool-calls.ts';
import type {Tool, ToolOutput} from '../../src/chat/tool.ts';
import {textOutput} from '../../src/chat/tool-output.ts';
import {createFixedSource} from '../../src/chat/tool-sources.ts';
import {fieldOf, formOf, pageOf} from '../helpers/elicitations.ts';

const never = new AbortController().signal;

/** Asks by hand: `asked` grows, and `answer` answers the oldest question. */
function createUser() {
	const asked: Elicitation[] = [];
	const open: Array<(answer: ElicitAnswer) => void> = [];
	const elicit: Elicit = (request) => {
		asked.push(request);
		return new Promise((resolve) => open.push(resolve));
	};
	const settle = () => new Promise((resolve) => setImmediate(resolve));
	const answer = async (given: ElicitAnswer = {type: 'decline'}) => {
		open.shift()?.(given);
		await settle();
	};
	return {asked, elicit, answer, settle};
}

test('a question waits for those before it', async () => {
	const {asked, elicit, answer, settle} = createUser();
	const ask = oneAtATime(elicit);
	const [first, second] = [formOf(), pageOf('https://example.com')];
	const answers = [ask(first, never), ask(second, never)];
	await settle();
	expect(asked).toEqual([first]);
	await answer({type: 'accept', values: {}});
	expect(asked).toEqual([first, second]);
	await answer();
	expect(await Promise.all(answers)).toEqual([{type: 'accept', values: {}}, {type: 'decline'}]);
});

test('a question that is withdrawn while it waits is never asked, and lets nobody pass', async () => {
	const {asked, elicit, answer, settle} = createUser();
	const ask = oneAtATime(elicit);
	const stop = new AbortController();
	const [first, last] = [formOf(fieldOf('a')), formOf(fieldOf('b'))];
	const answered = ask(first, never);
	const withdrawn = ask(formOf(), stop.signal);
	void ask(last, never);
	stop.abort(new Error('stopped'));
	await expect(withdrawn).rejects.toThrow('stopped');
	await settle();
	expect(asked).toEqual([first]);
	await answer();
	await answered;
	expect(asked).toEqual([first, last]);
	await answer();
});

async function runAsking(...requests: readonly Elicitation[]): Promise<readonly ChatEvent[]> {
	const tool: Tool = {
		definition: {name: 'ask'},
		origin: 'test',
		check: async () => undefined,
		describe: async () => [],
		async run(_, signal, elicit): Promise<ToolOutput> {
			const answers = await Promise.all(requests.map((request) => elicit(request, signal)));
			return textOutput(answers.map(({type}) => type).join(), false);
		},
	};
	const events: ChatEvent[] = [];
	const batches = runToolCalls([{callId: 'a', name: 'ask', arguments: '{}', isRunnable: true}], {
		tools: [tool],
		source: createFixedSource([tool]),
		approve: async () => ({type: 'run', decision: 'once'}),
		elicit: declineElicitation,
		signal: never,
	});
	for await (const batch of batches) events.push(...batch);
	return events;
}

test('a question is declined with a notice if nobody is there', async () => {
	const long = Array.from({length: 5}, (_, at) => fieldOf(`field ${at}`));
	const events = await runAsking(formOf(...long), pageOf('https://example.com/a'), formOf());
	expect(events).toContainEqual({
		type: 'tool-result',
		callId: 'a',
		...textOutput('decline,decline,decline', false),
	});
	const notices = events.flatMap((event) => (event.type === 'notice' ? [event.notice] : []));
	const end = 'and was declined: there was no one to ask';
	expect(notices).toEqual([
		{
			code: 'elicitation-declined',
			message: `server github asked for field 0, field 1, field 2, 2 more ${end}`,
		},
		{
			code: 'elicitation-declined',
			message: `server github asked to open a page of example.com ${end}`,
		},
		{code: 'elicitation-declined', message: `server github asked for a confirmation ${end}`},
	]);
});
