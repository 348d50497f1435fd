/** An approval for the session covers that tool, whole and unchanged. */
import {describe, expect, it} from 'vitest';
import {createApprovals} from '../../src/chat/approvals.ts';
import type {Approval, ApprovalRequest, Approve, ToolDefinition} from '../../src/chat/tool.ts';

const tool: ToolDefinition = {
	name: 'weather',
	description: 'The weather',
	parameters: {type: 'object'},
	command: ['curl', '{city}'],
	cwd: '/home/u',
	environment: ['TOKEN'],
};

function request(changes: Partial<ToolDefinition> = {}, text = '{}'): ApprovalRequest {
	const call = {callId: 'c', name: 'weather', arguments: text, isRunnable: true};
	return {call, tool: {...tool, ...changes}};
}

const {signal} = new AbortController();

function answerWith(...approvals: readonly Approval[]) {
	const asked: ApprovalRequest[] = [];
	const ask: Approve = async (one) => approvals[asked.push(one) - 1] ?? {type: 'deny'};
	return {ask, asked};
}

describe('an approval', () => {
	it('for the session counts for other arguments, also on another screen', async () => {
		const first = answerWith({type: 'run', decision: 'session'});
		const approvals = createApprovals([]);
		await approvals(first.ask)(request(), signal);
		const second = answerWith();
		const approval = await approvals(second.ask)(request({}, '{"city":"Rome"}'), signal);
		expect(approval).toEqual({type: 'run', decision: 'session'});
		expect(second.asked).toEqual([]);
	});

	it.each<Partial<ToolDefinition>>([
		{name: 'other'},
		{description: 'Something else'},
		{parameters: {type: 'object', properties: {city: {}}}},
		{command: ['curl', '-v', '{city}']},
		{cwd: '/tmp'},
		{environment: []},
	])('for the session does not count for a tool with %j', async (changes) => {
		const {ask, asked} = answerWith({type: 'run', decision: 'session'});
		const approve = createApprovals([])(ask);
		await approve(request(), signal);
		expect(await approve(request(changes), signal)).toEqual({type: 'deny'});
		expect(asked).toHaveLength(2);
	});

	it('for once, or a denial, is not remembered', async () => {
		const {ask, asked} = answerWith({type: 'run', decision: 'once'}, {type: 'deny'});
		const approve = createApprovals([])(ask);
		for (let count = 0; count < 3; count += 1) await approve(request(), signal);
		expect(asked).toHaveLength(3);
	});

	it('given beforehand needs no question', async () => {
		const {ask, asked} = answerWith();
		const approval = await createApprovals(['weather'])(ask)(request(), signal);
		expect(approval).toEqual({type: 'run', decision: 'allowed'});
		expect(asked).toEqual([]);
	});
});
