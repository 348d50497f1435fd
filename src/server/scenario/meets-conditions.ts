/**
 * Whether a request is one that a rule is for. A regular expression sees the beginning of a text
 * and is stopped when it takes too long, so that no request can hang the service with it.
 */
import {createContext, Script} from 'node:vm';
import {attachmentsOf, type ChatRequest} from '../request/request.ts';
import {ServiceError} from '../service-error.ts';
import type {Conditions, Counts, TextMatch} from './scenario-schema.ts';

const maxTestedLength = 10_000;
const maxTestMs = 100;

export type MeetsConditions = (request: ChatRequest) => boolean;

/**
 * All conditions but `nth`, which takes a memory.
 *
 * @param name Of the rule, for the message when its expression takes too long.
 */
export function createMeetsConditions(when: Conditions, name: string): MeetsConditions {
	const {prompt, model, turn, stream, has = []} = when;
	const isPrompt = prompt === undefined ? () => true : createTextTest(prompt, name);
	return (request) =>
		(model === undefined || model === request.model || model === request.tier) &&
		(stream === undefined || stream === request.isStreaming) &&
		(turn === undefined || isCounted(countTurns(request), turn)) &&
		has.every((feature) => features[feature](request)) &&
		isPrompt(readLastPrompt(request));
}

/** Whether a number is in one of the ranges. */
export function isCounted(count: number, counts: Counts): boolean {
	return counts.some(({from, to}) => count >= from && count <= to);
}

/** How many user messages there are. */
export function countTurns({messages}: ChatRequest): number {
	return messages.filter(({role}) => role === 'user').length;
}

/** The text of the last user message, empty if there is none. */
export function readLastPrompt({messages}: ChatRequest): string {
	return messages.findLast(({role}) => role === 'user')?.text ?? '';
}

const features: Readonly<Record<NonNullable<Conditions['has']>[number], MeetsConditions>> = {
	image: ({messages}) => messages.flatMap(attachmentsOf).some(({kind}) => kind === 'image'),
	tools: ({tools}) => tools.length > 0,
	tool_result: ({messages}) => messages.at(-1)?.role === 'tool',
	system: ({messages}) => messages.some(({role}) => role === 'system'),
	json: ({responseFormat}) => responseFormat !== 'text',
};

function createTextTest(
	{is, contains, matches}: TextMatch,
	name: string,
): (text: string) => boolean {
	const isMatch = matches === undefined ? () => true : createPatternTest(matches, name);
	return (text) =>
		(is === undefined || text.trim() === is) &&
		(contains === undefined || text.includes(contains)) &&
		isMatch(text);
}

/** Only a script that runs by itself can be stopped from outside. */
function createPatternTest(pattern: RegExp, name: string): (text: string) => boolean {
	const script = new Script('pattern.test(text)');
	const context = createContext({pattern, text: ''});
	return (text) => {
		context['text'] = text.slice(0, maxTestedLength);
		try {
			return script.runInContext(context, {timeout: maxTestMs}) === true;
		} catch {
			const message = `the regular expression of the rule ${name} takes too long for this prompt`;
			throw new ServiceError(500, message, {code: 'slow_pattern'});
		}
	};
}
