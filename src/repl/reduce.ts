/** The one reducer of a session. */
import {type Action, type Outcome, outcome, print} from './action.ts';
import {nameAttachment, withAttachment} from './attachments.ts';
import {reduceApproval, withDialog} from './reduce-approval.ts';
import {reduceKeys} from './reduce-keys.ts';
import {reduceEvents, startTurn} from './reduce-turn.ts';
import type {ReplState} from './state.ts';

export function reduce(state: ReplState, action: Action): Outcome {
	switch (action.type) {
		case 'keys':
			return reduceKeys(state, action.keys, action.now);
		case 'events':
			return reduceEvents(state, action.events, action.now);
		case 'ask':
			return startTurn(state, action.prompt, action.now);
		case 'attached':
			return outcome(
				{
					...state,
					loading: state.loading - 1,
					attachments: withAttachment(state.attachments, action.attachment),
				},
				...action.notices.map((text) => print({type: 'notice', text})),
				print({type: 'notice', text: `attached ${nameAttachment(action.attachment)}`}),
			);
		case 'attach-failed':
			return outcome(
				{...state, loading: state.loading - 1},
				print({type: 'error', error: action.error}),
			);
		case 'approval-asked':
		case 'approval-armed':
		case 'approval-withdrawn':
			return withDialog(state, reduceApproval(state.approval, action));
		case 'tick':
			return outcome({...state, now: action.now});
		case 'exit-disarmed':
			return outcome({...state, armedExit: undefined});
		case 'closed':
			return outcome({...state, isClosing: true});
		case 'resize':
			return outcome({...state, columns: action.columns, rows: action.rows});
		default:
			return action satisfies never;
	}
}
