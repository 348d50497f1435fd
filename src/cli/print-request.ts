/** `--dry-run`: prints the first request of a run, and sends nothing. */
import {type Conversation, messagesOf} from '../chat/conversation.ts';
import {createStepRequest} from '../chat/turn.ts';
import type {Environment} from '../environment.ts';
import type {ExitCode} from '../errors.ts';
import {printExact, printNotice, printTrace} from '../output/print.ts';
import {describeRequest} from '../protocol/describe-request.ts';
import {redactJson} from '../redact.ts';
import type {RunContext} from './turn-runner.ts';

export async function printRequest(
	{service, settings, options, tools, notices}: RunContext,
	conversation: Conversation,
	environment: Environment,
): Promise<ExitCode> {
	for (const trace of service.traces) printTrace(trace, environment);
	if (!settings.quiet) for (const notice of notices) printNotice(notice, environment);
	const request = createStepRequest(messagesOf(conversation), options, tools?.tools ?? []);
	const described = redactJson(describeRequest(service.connection, request), service.redact);
	return await printExact(JSON.stringify(described, undefined, 2), environment);
}
