/** Step events, shared by the decoders in all wires. */
import {ChatError, type ErrorDetails} from '../../errors.ts';
import type {ErrorContext} from '../errors/error-context.ts';
import {finishNotice, judgeReply, type StepEvidence, type StreamEnd} from './completion.ts';
import {createEventBatch, type EventBatch, type TextChannel} from './event-batch.ts';

export interface Step extends EventBatch {
	readonly text: TextChannel;
	readonly refusal: TextChannel;
	readonly reasoning: TextChannel;
	/** Reports that the service searches the web. */
	search(): void;
	/** Names the reply and the answering model; each first name counts. */
	identify(names: {
		readonly id: string | undefined;
		readonly model: string | undefined;
		readonly created: number | undefined;
	}): void;
	/**
	 * Releases held-back text, and adds notices about the end.
	 *
	 * @throws {ChatError} if the reply is cut off, empty or failed
	 */
	finish(evidence: StepEvidence, end: StreamEnd): void;
	/** Releases held-back text, and adds to the error. */
	fail(error: ChatError, details: Pick<ErrorDetails, 'finishReason' | 'usage'>): ChatError;
}

/** @param attempts number of requests made for this reply */
export function createStep(context: ErrorContext, attempts: number): Step {
	let id = '';
	let model = '';
	let created: number | undefined;
	const batch = createEventBatch(() => ({
		type: 'step-start',
		model: model === '' ? context.model : model,
		requestedModel: context.model,
		id,
		created,
		attempts,
	}));
	const text = batch.createChannel((piece) => ({type: 'text-delta', text: piece}));
	const refusal = batch.createChannel((piece) => ({type: 'refusal-delta', text: piece}));
	const reasoning = batch.createChannel((piece) => ({type: 'reasoning-delta', text: piece}));

	const release = () => {
		for (const channel of [reasoning, text, refusal]) channel.end();
	};

	return {
		...batch,
		text,
		refusal,
		reasoning,
		search() {
			const notice = {code: 'web-search', message: 'searching the web'} as const;
			batch.add({type: 'notice', notice});
		},
		identify(names) {
			if (id === '') id = names.id ?? '';
			if (model === '') model = names.model ?? '';
			created ??= names.created;
		},
		finish(evidence, end) {
			release();
			const hasText = !text.isBlank || !refusal.isBlank;
			const all = {...evidence, hasText, hasReasoning: !reasoning.isBlank};
			const outcome = judgeReply(all, end, context);
			if (outcome instanceof ChatError) throw outcome;
			const {finishReason} = evidence;
			for (const notice of [outcome, finishReason && finishNotice(finishReason)]) {
				if (notice !== undefined) batch.add({type: 'notice', notice});
			}
		},
		fail(error, details) {
			release();
			const {requestId} = context;
			return new ChatError(error.kind, error.message, {requestId, ...error.details, ...details});
		},
	};
}
