/** The live region in React, from top to bottom. `frame.ts` has divided the window among its parts. */
import {Box, renderToString, Text, useCursor} from 'ink';
import {memo, useInsertionEffect} from 'react';
import {stripUnsafe} from '../../terminal/safe-text.ts';
import type {Frame, PromptFrame, QuestionFrame, Rows} from './frame-input.ts';
import {Lines} from './lines.tsx';
import {LiveTurn} from './live-turn.tsx';

export function LiveRegion({
	frame,
	onCommit,
}: {
	readonly frame: Frame;
	readonly onCommit?: ((frame: Frame) => void) | undefined;
}) {
	const {turn, question, notices, prompt, popup, menu, status, apart, cursor} = frame;
	const {setCursorPosition} = useCursor();
	setCursorPosition(cursor);
	// Insertion effects run before Ink draws, other effects after.
	useInsertionEffect(() => onCommit?.(frame), [frame, onCommit]);
	return (
		<Box flexDirection="column">
			{apart.has('turn') && <Gap />}
			<LiveTurn turn={turn} />
			{apart.has('question') && <Gap />}
			<Dialog question={question} />
			{apart.has('notices') && <Gap />}
			<HeldNotices rows={notices} />
			{apart.has('prompt') && <Gap />}
			<PromptArea prompt={prompt} />
			<Popup rows={popup} />
			<Menu rows={menu} />
			<StatusLine rows={status} />
		</Box>
	);
}

/** The empty row between two blocks. */
const Gap = memo(function Gap() {
	return <Text> </Text>;
});

type Part = {readonly rows: Rows};

const Dialog = memo(function Dialog({question}: {readonly question: QuestionFrame}) {
	const {isFramed, head, body, choices} = question;
	if (head.length === 0) return null;
	const border = isFramed ? ({borderStyle: 'round', paddingX: 1} as const) : {};
	return (
		<Box flexDirection="column" alignSelf="flex-start" {...border}>
			<Lines rows={head} />
			<Lines rows={body} />
			<Lines rows={choices} />
		</Box>
	);
});

const HeldNotices = memo(function HeldNotices({rows}: Part) {
	return <Lines rows={rows} />;
});

const PromptArea = memo(function PromptArea({prompt}: {readonly prompt: PromptFrame}) {
	const {queue, attachments, rows, ruleWidth} = prompt;
	return (
		<>
			<Queue rows={queue} />
			<Attachments rows={attachments} />
			{ruleWidth === undefined ? (
				<Prompt rows={rows} />
			) : (
				<Box width={ruleWidth} {...rules}>
					<Prompt rows={rows} />
				</Box>
			)}
		</>
	);
});

/** A rule above and below what is between them. */
const rules = {
	borderStyle: 'single',
	borderDimColor: true,
	borderLeft: false,
	borderRight: false,
} as const;

function Queue({rows}: Part) {
	return <Lines rows={rows} />;
}

function Attachments({rows}: Part) {
	return <Lines rows={rows} />;
}

function Prompt({rows}: Part) {
	return <Lines rows={rows} />;
}

const Popup = memo(function Popup({rows}: Part) {
	return <Lines rows={rows} />;
});

const Menu = memo(function Menu({rows}: Part) {
	return <Lines rows={rows} />;
});

const StatusLine = memo(function StatusLine({rows}: Part) {
	return <Lines rows={rows} />;
});

/** Returns the rows that Ink draws of a frame, without styles. */
export function rowsOfFrame(frame: Frame, columns: number): readonly string[] {
	const text = renderToString(<LiveRegion frame={frame} />, {columns});
	return text === '' ? [] : text.split('\n').map((row) => stripUnsafe(row));
}
