/**
 * The live view of a single answer, as a writer uses it. The screen's code is loaded while the
 * request is in flight; until then the events wait.
 */
import type {Environment, Terminal} from '../environment.ts';
import type {AnswerView} from '../output/turn-writer.ts';
import type {Redact} from '../redact.ts';
import type {Settings} from '../settings/option-rows.ts';
import {canDraw, decideColor, decideLinks, decideReflow} from '../terminal/capabilities.ts';
import {createBatchQueue} from './batch-queue.ts';

/** The terminal to draw on, undefined if output goes elsewhere or cannot be drawn. */
export function drawableTerminal(environment: Environment): Terminal | undefined {
	return canDraw(environment.variables) ? environment.terminal : undefined;
}

export type ViewedAnswer = {
	readonly settings: Settings;
	readonly model: string;
	readonly redact: Redact;
};

export function openAnswerView(
	{settings, model, redact}: ViewedAnswer,
	terminal: Terminal,
	environment: Environment,
): AnswerView {
	const queue = createBatchQueue();
	const {variables} = environment;
	const shown = import('../ui/ink/answer-screen.ts').then(({showAnswer}) =>
		showAnswer({
			events: queue,
			model,
			reasoningMode: settings.reasoning,
			terminal,
			options: {
				hasColor: decideColor(settings.color, variables),
				hasLinks: decideLinks(variables),
				hasReflow: decideReflow(variables),
				redact,
			},
			now: () => environment.now(),
		}),
	);
	// A failure is told when the answer is over.
	shown.catch(() => {});
	return {
		write: (batch) => queue.push(batch),
		async end() {
			queue.end();
			await shown;
		},
	};
}
