/** Renders the popup, shown below the prompt until the next key. */
import {answerWidth} from '../../repl/geometry.ts';
import type {SafeText} from '../../terminal/safe-text.ts';
import {plural} from '../../wording.ts';
import type {FrameInput} from './frame-input.ts';
import {renderPlainEntry} from './render-entry.ts';
import {fitLine} from './wrap-text.ts';

/** Returns at most `room` rows; the last one counts those left out, unless there is no other. */
export function renderPopup(input: FrameInput, room: number): readonly SafeText[] {
	const {state, style, redact} = input;
	if (state.popup === undefined || room < 1) return [];
	const width = answerWidth(state);
	const rows = renderPlainEntry(state.popup.entry, {style, redact, width});
	if (rows.length <= room) return rows;
	if (room === 1) return [style(fitLine(`${rows[0]} …`, width), 'hint')];
	const hidden = rows.length - room + 1;
	const rest = style(fitLine(`… ${plural(hidden, 'more row')}`, width), 'hint');
	return [...rows.slice(0, room - 1), rest];
}
