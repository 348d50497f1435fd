/**
 * The live view of a single answer, as a writer uses it, and the questions that are asked on it. The
 * screen's code is loaded while the request is in flight; until then the events wait.
 */
import {denyUnasked} from '../chat/approvals.ts';
import type {Approve} from '../chat/tool.ts';
import type {Environment, Terminal} from '../environment.ts';
import type {InterruptSignal} from '../errors.ts';
import type {AnswerView} from '../output/turn-writer.ts';
import type {Redact} from '../redact.ts';
import type {Settings} from '../settings/options/option-rows.ts';
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
	/** Ends the run as this signal does. */
	readonly onInterrupt: (signal: InterruptSignal) => void;
	/** Aborted when the run is to end. */
	readonly signal: AbortSignal;
};

export type AnswerScreens = {
	/** Opens the view; at most once. Undefined: there is no terminal for one. */
	readonly openView: (() => AnswerView) | undefined;
	/** Asks in the view or, if the output is of a form that has none, on a screen of its own. */
	readonly ask: Approve;
};

export function createAnswerScreens(
	viewed: ViewedAnswer,
	terminal: Terminal | undefined,
	environment: Environment,
): AnswerScreens {
	if (terminal === undefined) return {openView: undefined, ask: denyUnasked};
	let view: OpenView | undefined;
	const open = () => openView(viewed, terminal, environment);
	return {
		openView() {
			view = open();
			return view;
		},
		async ask(request, signal) {
			if (view !== undefined) return await view.ask(request, signal);
			const screen = open();
			try {
				return await screen.ask(request, signal);
			} finally {
				screen.write([{type: 'turn-end'}]);
				await screen.end();
			}
		},
	};
}

type OpenView = AnswerView & {readonly ask: Approve};

function openView(
	{settings, model, redact, onInterrupt, signal}: ViewedAnswer,
	terminal: Terminal,
	environment: Environment,
): OpenView {
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
			onInterrupt,
			signal,
		}),
	);
	// A failure is told when the answer is over.
	shown.then(({over}) => over).catch(() => {});
	return {
		write: (batch) => queue.push(batch),
		ask: async (request, signal) => await (await shown).ask(request, signal),
		async end() {
			queue.end();
			await (await shown).over;
		},
	};
}
