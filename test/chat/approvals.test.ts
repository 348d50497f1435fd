/** An approval for the session covers that tool, whole and unchanged. */
import {describe, expect, it} from 'vitest';
import {createApprovals} from '../../src/chat/approvals.ts';
import type {Approval, ApprovalRequest, Approve} from '../../src/chat/tool.ts';

const definition = {name: 'weather', description: 'The weather', parameters: {type: 'object'}};
const origin = {server: 'met', version: '1.0.0'};

function request(
	changes: {readonly definition?: object; readonly origin?: object} = {},
	text = '{}',
): ApprovalRequest {
	const call = {callId: 'c', name: 'weather', arguments: text, isRunnable: true};
	const tool = {
		definition: {...definition, ...changes.definition},
		origin: {...origin, ...changes.origin},
	};
	return {call, tool, lines: [], place: {number: 1, of: 1}};
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

	const otherTools = [
		{definition: {name: 'other'}},
		{definition: {description: 'Something else'}},
		{definition: {strict: true}},
		{origin: {server: 'other'}},
		{origin: {version: '1.0.1'}},
	];

	it('counts for no other tool, whether given for the session or beforehand', async () => {
		for (const changes of otherTools) {
			const {ask, asked} = answerWith({type: 'run', decision: 'session'});
			const approve = createApprovals([])(ask);
			await approve(request(), signal);
			expect(await approve(request(changes), signal)).toEqual({type: 'deny'});
			expect(asked).toHaveLength(2);
			const given = createApprovals([request().tool])(answerWith().ask);
			expect(await given(request(), signal)).toEqual({type: 'run', decision: 'allowed'});
			expect(await given(request(changes), signal)).toEqual({type: 'deny'});
		}
	});

	it('for once, or a denial, is not remembered', async () => {
		const {ask, asked} = answerWith({type: 'run', decision: 'once'}, {type: 'deny'});
		const approve = createApprovals([])(ask);
		for (let count = 0; count < 3; count += 1) await approve(request(), signal);
		expect(asked).toHaveLength(3);
	});
});
