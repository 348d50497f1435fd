/** A question about a call of a command, with the lines that the real tool shows. */
import type {ApprovalRequest} from '../../src/chat/tool.ts';
import type {JsonObject} from '../../src/json.ts';
import {describeCommand} from '../../src/tools/fill-command.ts';

export function createRequest(
	values: JsonObject = {city: 'Oslo'},
	command: readonly string[] = ['curl', '{city}'],
): ApprovalRequest {
	const origin = {command, cwd: '/home/u', environment: ['TOKEN']};
	return {
		call: {callId: 'c1', name: 'weather', arguments: JSON.stringify(values), isRunnable: true},
		tool: {definition: {name: 'weather'}, origin},
		lines: describeCommand(origin, values),
		place: {number: 1, of: 1},
	};
}
