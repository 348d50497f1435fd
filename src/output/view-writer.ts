/** Draws the answer as a live view on the terminal; messages go to stderr before and after it. */
import {stripUnsafe} from '../terminal/safe-text.ts';
import {createStderrReporter, formatCall, isReportEvent, type ReportEvent} from './messages.ts';
import {unansweredCalls} from './turn-result.ts';
import type {AnswerView, CreateTurnWriter} from './turn-writer.ts';

export function createViewWriter(openView: () => Promise<AnswerView>): CreateTurnWriter {
	return (options, {stdout, stderr}) => {
		const reporter = createStderrReporter(options, stderr);
		let view: Promise<AnswerView> | undefined;
		return {
			begin() {
				view = openView();
				// A failure is reported by the first use.
				view.catch(() => {});
			},
			async write(batch) {
				const opened = await view;
				try {
					await opened?.write(batch);
				} catch (error) {
					// Nothing else would stop its clock.
					await opened?.end();
					throw error;
				}
				for (const event of batch) {
					if (!isReportEvent(event)) continue;
					if (view === undefined) await reporter.write(event);
					else if (!isShownInView(event)) reporter.defer(event);
				}
			},
			async end(turn) {
				await (await view)?.end();
				await stdout.write(stripUnsafe(unansweredCalls(turn.result).map(formatCall).join('')));
				await reporter.end(turn, view !== undefined);
			},
		};
	};
}

/** The view itself shows the wait for a retry. */
function isShownInView(event: ReportEvent): boolean {
	return event.type === 'notice' && event.notice.code === 'retry';
}
