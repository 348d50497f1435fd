/** Reduces the state of a session. */
import {type Action, print, printNotice, type Update, update} from './action.ts';
import {attachDropped, nameAttachments, withAttachment} from './commands/attachment-commands.ts';
import {changeServers} from './commands/servers.ts';
import {reduceOpening} from './commands/session-commands.ts';
import {reduceTemplates} from './commands/template-calls.ts';
import {isEmpty} from './editor/buffer.ts';
import {reduceKeys} from './keys/reduce-keys.ts';
import {withOlderPrompts} from './keys/reduce-search.ts';
import {showValues} from './list/reduce-menu.ts';
import {chooseTurn} from './list/reduce-tree.ts';
import {printOrShow, showNotice} from './popup.ts';
import type {ReplState, Stamp} from './state.ts';
import {returnDraft} from './turn/prompts.ts';
import {reduceShared} from './turn/reduce-answer.ts';
import {reduceEvents, startTurn} from './turn/reduce-turn.ts';
import {enterText, reduceMentions} from './turn/submit.ts';

export function reduce(before: ReplState, action: Action, stamp: Stamp): Update {
	const state = {...before, ...stamp};
	switch (action.type) {
		case 'keys':
			return reduceKeys(state, action.keys, action.now);
		case 'text-entered':
			return enterText({...state, now: action.now}, action.text);
		case 'turn-chosen':
			return chooseTurn(state, action.id);
		case 'events':
			return reduceEvents({...state, now: action.now}, action.events);
		case 'prompt-given':
			return startTurn({...state, now: action.now}, action.prompt);
		case 'attached':
			return update(
				{
					...state,
					loading: state.loading - 1,
					attachments: action.attachments.reduce(withAttachment, state.attachments),
				},
				...action.notices.map(printNotice),
				printNotice(`attached ${nameAttachments(action.attachments)}`),
			);
		case 'attach-failed':
			return update(
				{...state, loading: state.loading - 1},
				print({type: 'error', error: action.error}),
			);
		case 'session-opened':
		case 'session-not-opened':
		case 'session-picked':
			return reduceOpening(state, action);
		case 'dropped':
			return attachDropped(state, action);
		case 'mentions-read':
		case 'mentions-failed':
			return reduceMentions(state, action);
		case 'template-expanded':
		case 'template-failed':
		case 'template-explained':
		case 'template-unknown':
			return reduceTemplates(state, action);
		case 'servers-changed':
			return changeServers(state, action.servers);
		case 'server-reported':
			return printOrShow(state, action.entry);
		case 'values-listed':
			return showValues(state, action.source, action.values);
		case 'notice-given':
			if (action.isBrief === true) return showNotice(state, action.text);
			return update(state, printNotice(action.text));
		case 'draft-edited':
			return returnDraft(state, action.draft, action.error);
		case 'approval-asked':
		case 'elicitation-asked':
			return openQuestion(state, action);
		case 'history-loaded':
			return update(withOlderPrompts(state, action.prompts));
		case 'model-known': {
			const {name, model} = action;
			return update({...state, knownModels: new Map([...state.knownModels, [name, model]])});
		}
		case 'key-disarmed':
			return update({...state, armedKey: undefined});
		case 'closed':
			return update({...state, isClosing: true});
		default:
			return reduceShared(state, action);
	}
}

type Asked = Extract<Action, {type: 'approval-asked' | 'elicitation-asked'}>;

/** Opens a question in place of all that has keys. Letters typed for a draft must not answer it. */
function openQuestion(state: ReplState, action: Asked): Update {
	const alone = {...state, search: undefined, menu: undefined, tree: undefined, popup: undefined};
	const {state: asked, effects} = reduceShared(alone, action);
	const typed = isEmpty(state.editor.buffer) ? undefined : '';
	return update({...asked, dialog: asked.dialog && {...asked.dialog, typed}}, ...effects);
}
