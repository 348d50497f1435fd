/** Refuses a request that exceeds the model's context window, before it is sent. */
import type {OpenConversation} from '../../chat/conversation.ts';
import type {ChatOptions} from '../../chat/message.ts';
import {describeSize, exceeds, sizeRequest} from '../../context/fit.ts';
import type {Environment} from '../../environment.ts';
import {ChatError} from '../../errors.ts';
import {findWindow} from './find-model.ts';
import type {Run} from './turn-runner.ts';

/** @throws {ChatError} `data` with the size, the window and the largest parts */
export async function checkWindow(
	{service, tools, signal}: Run,
	conversation: OpenConversation,
	options: ChatOptions,
	environment: Environment,
): Promise<void> {
	const window = await findWindow(service, options.model, signal, environment);
	if (window === undefined) return;
	const definitions = tools?.tools.map(({definition}) => definition);
	const size = sizeRequest({conversation, options, tools: definitions, window});
	if (!exceeds(size, window)) return;
	throw new ChatError('data', describeSize(size, window), {
		hint: 'Nothing was sent. Send less, or send it anyway with --compact off.',
	});
}
