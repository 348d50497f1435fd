/** Describes the request it received, field by field. */

import type {Prompt} from '../prompt/prompt.ts';
import {quote} from '../prompt/text.ts';
import {attachmentsOf, type ChatRequest} from '../request/request.ts';
import type {Answer} from './rule.ts';

const pattern =
	/\b(?:what|which|show|list|describe)\b[^\n]*\b(?:parameters?|settings|request fields)\b|^parameters?[?.! ]*$/i;

export function describeParameters(prompt: Prompt): Answer | undefined {
	if (!pattern.test(prompt.question)) return undefined;
	const rows = listParameters(prompt).map(([name, value]) => `- \`${name}\`: ${value}`);
	return {
		text: `I received this request:\n\n${rows.join('\n')}`,
		reason: 'The prompt asks for the parameters of the request.',
	};
}

function listParameters({
	request,
	system,
}: Prompt): ReadonlyArray<readonly [name: string, value: string]> {
	const attachments = request.messages.flatMap(attachmentsOf);
	return [
		['model', request.model],
		['stream', String(request.isStreaming)],
		['temperature', describeNumber(request.temperature, '1')],
		['top_p', describeNumber(request.topP, '1')],
		['max_tokens', describeNumber(request.maxTokens, 'no limit')],
		['stop', request.stop.length === 0 ? 'not set' : JSON.stringify(request.stop)],
		['tools', request.tools.map(({name}) => name).join(', ') || 'none'],
		['tool_choice', describeChoice(request.toolChoice)],
		['response_format', request.responseFormat],
		['system', system === '' ? 'none' : quote(system, 500)],
		['messages', `${request.messages.length} (${describeRoles(request)})`],
		['attachments', String(attachments.length)],
	];
}

function describeNumber(value: number | undefined, byDefault: string): string {
	return value === undefined ? `not set (default ${byDefault})` : String(value);
}

function describeChoice(choice: ChatRequest['toolChoice']): string {
	return typeof choice === 'string' ? choice : choice.name;
}

function describeRoles({messages}: ChatRequest): string {
	const counts = new Map<string, number>();
	for (const {role} of messages) counts.set(role, (counts.get(role) ?? 0) + 1);
	return [...counts].map(([role, count]) => `${count} ${role}`).join(', ');
}
