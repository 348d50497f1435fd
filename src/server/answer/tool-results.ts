/** Answers from the results of tools, once they are there. */
import {shorten} from '../../wording.ts';
import type {Prompt} from './prompt.ts';
import {quote} from './text.ts';

export function useToolResults({request, instruction}: Prompt): string | undefined {
	const {messages} = request;
	if (messages.at(-1)?.role !== 'tool') return undefined;
	const asked = messages.findLastIndex(({role}) => role === 'user');
	const answered = messages.slice(asked + 1);
	const calls = new Map(
		answered.flatMap(({toolCalls}) => toolCalls).map((call) => [call.id, call] as const),
	);
	const results = answered.filter(({role}) => role === 'tool');
	const lines = results.map(({toolCallId = '', text}) => {
		const {name = 'the tool', arguments: given = ''} = calls.get(toolCallId) ?? {};
		return `- \`${name}\` for \`${shorten(given, 200)}\`: ${shorten(text.trim(), 4_000)}`;
	});
	return `You wrote ${quote(instruction)}. The tools answered:\n\n${lines.join('\n')}`;
}
