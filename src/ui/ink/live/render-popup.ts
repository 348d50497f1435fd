/** Renders the popup, shown below the prompt until the next key. */
import {answerWidth} from '../../../repl/geometry.ts';
import type {ReplState} from '../../../repl/state.ts';
import {safe} from '../../../terminal/safe-text.ts';
import {plural} from '../../../wording.ts';
import {renderPlainEntry} from '../transcript/render-entry.ts';
import {cutRows, fitLine} from '../wrap-text.ts';
import type {FrameInput, Rows} from './frame-input.ts';

/** Returns at most `room` rows; the last one counts those left out, unless there is no other. */
export function renderPopup(
	state: ReplState,
	{style, redact}: Pick<FrameInput, 'style' | 'redact'>,
	room: number,
): Rows {
	if (state.popup === undefined || room < 1) return [];
	const width = answerWidth(state);
	const rows = renderPlainEntry(state.popup.entry, {style, redact, width});
	const paint = (text: string) => safe`  ${style(fitLine(text, width - 2), 'hint')}`;
	if (room === 1 && rows.length > 1) return [paint(`${rows[0]?.trimStart()} …`)];
	return cutRows(rows, room, (count) => paint(`… ${plural(count, 'more row')}`));
}
