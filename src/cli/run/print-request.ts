/** `--dry-run`: prints a run's first request, sending nothing. */
import {type Conversation, messagesOf} from '../../chat/conversation.ts';
import {createStepRequest} from '../../chat/turn.ts';
import type {Environment} from '../../environment.ts';
import type {ExitCode} from '../../errors.ts';
import {lineHint, withHint} from '../../hint.ts';
import {escapeUnits} from '../../json.ts';
import {printExact, printInfo, printTrace} from '../../output/print.ts';
import {describeRequest} from '../../protocol/describe-request.ts';
import {maskKeys, redactJson} from '../../redact.ts';
import type {Request, Run} from './turn-runner.ts';

export async function printRequest(
	{service, settings, tools}: Run,
	{options, notices}: Request,
	conversation: Conversation,
	environment: Environment,
): Promise<ExitCode> {
	for (const trace of service.traces) printTrace(trace, environment);
	if (!settings.quiet) {
		for (const notice of notices) printInfo(withHint(notice, lineHint), environment);
	}
	const request = createStepRequest(messagesOf(conversation), options, tools?.tools ?? []);
	const described = redactJson(describeRequest(service.connection, request), service.redact);
	const text = JSON.stringify(described, maskKeys, 2).replace(invisible, escapeUnits);
	return await printExact(text, environment);
}

/** Characters dropped by terminals: JSON can spell them out. */
const invisible = /(?!\n)[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
