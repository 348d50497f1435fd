/** The question what to do about a request that is too large for the model. */
import {aboutTokens, describeParts, describeRoom, type RequestSize} from '../../context/fit.ts';
import type {CompactionPlan} from '../../context/plan-compaction.ts';
import {type Choice, createQuestion, type Question} from '../question/question.ts';

export type WindowAnswer = 'compact' | 'send' | 'back' | {readonly omission: CompactionPlan};

export type LargeRequest = {
	readonly size: RequestSize;
	/** In tokens; undefined if unknown. */
	readonly window: number | undefined;
	/** Whether it exceeds the window; otherwise it nearly fills it. */
	readonly isTooLarge: boolean;
	/** Whether the service has refused it already. */
	readonly isRefused?: true;
	readonly canCompact: boolean;
	/** The oldest turns to leave out; undefined if that does not help. */
	readonly omission: CompactionPlan | undefined;
};

export function createWindowQuestion(request: LargeRequest): Question<WindowAnswer> {
	const {size, window, isTooLarge, isRefused, canCompact, omission} = request;
	const parts = describeParts(size);
	const choices = [
		...(canCompact ? [compact] : []),
		...(omission === undefined ? [] : [omit(omission)]),
		...(isRefused ? [] : [send]),
		back,
	];
	return createQuestion<WindowAnswer>({
		request,
		asker: isTooLarge ? 'the request is too large' : 'the context is nearly full',
		title: titleOf(request),
		printedTitle: isTooLarge ? 'too large:' : 'nearly full:',
		lines: [
			{label: 'size', text: describeRoom(size, window)},
			...(parts === '' ? [] : [{label: 'largest', text: parts}]),
		],
		choices,
	});
}

function titleOf({isRefused, isTooLarge}: LargeRequest): string {
	if (isRefused) return 'The service found the request too long. What now?';
	return isTooLarge
		? 'Send a request that exceeds the context window?'
		: 'The context is nearly full. What now?';
}

const answerWith = (answer: WindowAnswer) => ({settle: () => ({answer})});

const compact: Choice<WindowAnswer> = {
	key: 'c',
	brief: 'compact',
	meaning: 'compact: replace older turns by a summary, which you read first',
	spoken: 'compact',
	does: answerWith('compact'),
};

function omit(omission: CompactionPlan): Choice<WindowAnswer> {
	const count = omission.last - omission.first + 1;
	const turns = count === 1 ? 'turn' : `${count} turns`;
	return {
		key: 'o',
		brief: 'leave out',
		meaning: `leave out the oldest ${turns} (${aboutTokens(omission.tokens)} tokens)`,
		does: answerWith({omission}),
	};
}

const send: Choice<WindowAnswer> = {
	key: 's',
	brief: 'send',
	meaning: 'send it anyway',
	does: answerWith('send'),
};

const back: Choice<WindowAnswer> = {
	key: 'b',
	brief: 'back',
	meaning: 'go back to the prompt',
	effect: 'goes back',
	chords: ['escape'],
	isFirst: true,
	does: answerWith('back'),
};
