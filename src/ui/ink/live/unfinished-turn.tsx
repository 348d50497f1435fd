/** The turn under way in React: the unfinished rest of the answer, and the reasoning beside or above it. */
import {Box} from 'ink';
import {Lines, quietBorder} from '../lines.tsx';
import type {PaneFrame, TurnFrame} from './frame-input.ts';

export function UnfinishedTurn({turn: {pane, answer}}: {readonly turn: TurnFrame}) {
	if (pane?.answerWidth !== undefined) {
		return (
			<Box>
				<Box width={pane.answerWidth}>
					<Lines rows={answer} />
				</Box>
				<PaneBeside pane={pane} />
			</Box>
		);
	}
	return (
		<>
			{pane === undefined ? null : <PaneAbove pane={pane} />}
			<Lines rows={answer} />
		</>
	);
}

/** A bar at the left edge of what it holds. */
const bar = {
	flexDirection: 'column',
	paddingLeft: 1,
	borderStyle: 'single',
	...quietBorder,
	borderTop: false,
	borderRight: false,
	borderBottom: false,
} as const;

function PaneBeside({pane: {title, rows}}: {readonly pane: PaneFrame}) {
	return (
		<Box {...bar}>
			<Lines rows={title} />
			<Lines rows={rows} />
		</Box>
	);
}

function PaneAbove({pane: {title, rows}}: {readonly pane: PaneFrame}) {
	return (
		<Box flexDirection="column">
			<Lines rows={title} />
			{rows.length === 0 ? null : (
				<Box {...bar}>
					<Lines rows={rows} />
				</Box>
			)}
		</Box>
	);
}
