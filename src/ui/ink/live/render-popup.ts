/** Renders the popup, shown below the prompt until the next key. */
import {answerWidth} from '../../../repl/geometry.ts';
import {type SafeText, safe} from '../../../terminal/safe-text.ts';
import {plural} from '../../../wording.ts';
import {renderPlainEntry} from '../transcript/render-entry.ts';
import {fitLine} from '../wrap-text.ts';
import type {FrameInput} from './frame-input.ts';

/** Returns at most `room` rows; the last one counts those left out, unless there is no other. */
export function renderPopup(input: FrameInput, room: number): readonly SafeText[] {
	const {state, style, redact} = input;
	if (state.popup === undefined || room < 1) return [];
	const width = answerWidth(state);
	const rows = renderPlainEntry(state.popup.entry, {style, redact, width});
	if (rows.length <= room) return rows;
	const [first = ''] = rows;
	const hidden = rows.length - room + 1;
	const rest = room === 1 ? `${first} …` : `… ${plural(hidden, 'more row')}`;
	const last = style(fitLine(rest.trimStart(), width - 2), 'hint');
	return [...rows.slice(0, room - 1), safe`  ${last}`];
}
