/** The live region in React, from top to bottom. `frame.ts` has divided the window among its parts. */
import {Box, renderToString, Text, useCursor} from 'ink';
import {useInsertionEffect} from 'react';
import {ruleWidth} from '../../../repl/geometry.ts';
import {stripUnsafe} from '../../../terminal/safe-text.ts';
import {Lines, quietBorder} from '../lines.tsx';
import type {Frame, PromptFrame, TurnFrame} from './frame-input.ts';
import {QuestionBox} from './question.tsx';

export function LiveRegion({
	frame,
	onCommit,
}: {
	readonly frame: Frame;
	readonly onCommit?: ((frame: Frame) => void) | undefined;
}) {
	const {width, turn, question, notices, prompt, popup, status, apart, cursor} = frame;
	const {setCursorPosition} = useCursor();
	setCursorPosition(cursor);
	// Insertion effects run before Ink draws, other effects after.
	useInsertionEffect(() => onCommit?.(frame), [frame, onCommit]);
	return (
		<Box flexDirection="column" width={width}>
			{apart.has('turn') && <Gap />}
			<UnfinishedTurn turn={turn} />
			{apart.has('question') && <Gap />}
			<QuestionBox question={question} columns={width + 1} />
			{apart.has('notices') && <Gap />}
			<Lines rows={notices} />
			{apart.has('prompt') && <Gap />}
			<Prompt prompt={prompt} columns={width + 1} />
			<Lines rows={popup} />
			<Lines rows={status} />
		</Box>
	);
}

/** The empty row between two blocks. */
function Gap() {
	return <Text> </Text>;
}

/** The answer's unfinished rest, and the reasoning beside or above it. */
function UnfinishedTurn({turn: {pane, answer}}: {readonly turn: TurnFrame}) {
	const rest = <Lines rows={answer} />;
	if (pane === undefined) return rest;
	const {title, rows, answerWidth} = pane;
	if (answerWidth === undefined) {
		return (
			<>
				<Lines rows={title} />
				<Box {...(rows.length === 0 ? {} : bar)}>
					<Lines rows={rows} />
				</Box>
				{rest}
			</>
		);
	}
	return (
		<Box>
			<Box width={answerWidth}>{rest}</Box>
			<Box {...bar}>
				<Lines rows={title} />
				<Lines rows={rows} />
			</Box>
		</Box>
	);
}

/** A bar at its content's left edge. */
const bar = {
	flexDirection: 'column',
	paddingLeft: 1,
	borderStyle: 'single',
	...quietBorder,
	borderTop: false,
	borderRight: false,
	borderBottom: false,
} as const;

function Prompt({
	prompt: {above, rows, hasRules},
	columns,
}: {
	readonly prompt: PromptFrame;
	readonly columns: number;
}) {
	const rule = hasRules && <Box width={ruleWidth({columns})} borderStyle="single" {...ruleSides} />;
	return (
		<>
			<Lines rows={above} />
			{rule}
			<Lines rows={rows} />
			{rule}
		</>
	);
}

const ruleSides = {
	...quietBorder,
	borderLeft: false,
	borderRight: false,
	borderBottom: false,
} as const;

/** Returns the rows Ink draws for a frame, without styles. */
export function rowsOfFrame(frame: Frame, columns: number): readonly string[] {
	const text = renderToString(<LiveRegion frame={frame} />, {columns});
	return text === '' ? [] : text.split('\n').map((row) => stripUnsafe(row));
}
