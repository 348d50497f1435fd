/** The prompt tokens of a request, by fixed rules: the same request always costs the same. */
import {attachmentsOf, type ChatRequest, type RequestMessage} from '../request/request.ts';
import {countTokens} from './tokens.ts';

/** For the role and the boundaries of each message. */
const tokensPerMessage = 3;
const tokensPerAttachment = 85;

export function countPromptTokens(request: ChatRequest): number {
	let count = 0;
	for (const message of request.messages) count += countMessageTokens(message);
	for (const tool of request.tools) {
		count += countTokens(tool.name) + countTokens(tool.description);
		count += countTokens(JSON.stringify(tool.parameters));
	}
	return count;
}

function countMessageTokens(message: RequestMessage): number {
	let count = tokensPerMessage + countTokens(message.text);
	count += tokensPerAttachment * attachmentsOf(message).length;
	for (const call of message.toolCalls) {
		count += countTokens(call.name) + countTokens(call.arguments);
	}
	return count;
}
