/** Describes the request it received, field by field. */

import {attachmentsOf} from '../request/request.ts';
import type {Prompt} from './prompt.ts';
import {quote} from './text.ts';

const pattern =
	/\b(?:what|which|show|list|describe)\b[^\n]*\b(?:parameters?|settings|request fields)\b|^parameters?[?.! ]*$/i;

export function describeParameters({question, request, system}: Prompt): string | undefined {
	if (!pattern.test(question)) return undefined;
	const {messages, toolChoice} = request;
	const parameters = {
		model: request.model,
		stream: request.isStreaming,
		temperature: request.temperature,
		top_p: request.topP,
		max_tokens: request.maxTokens,
		stop: request.stop.length === 0 ? undefined : JSON.stringify(request.stop),
		tools: request.tools.map(({name}) => name).join(', ') || 'none',
		tool_choice: typeof toolChoice === 'string' ? toolChoice : toolChoice.name,
		response_format: request.responseFormat,
		system: system === '' ? undefined : quote(system, 500),
		messages: `${messages.length} (${messages.map(({role}) => role).join(', ')})`.slice(0, 500),
		attachments: messages.flatMap(attachmentsOf).length,
	};
	const rows = Object.entries(parameters).map(
		([name, value]) => `- \`${name}\`: ${value ?? 'not set'}`,
	);
	return `I received this request:\n\n${rows.join('\n')}`;
}
