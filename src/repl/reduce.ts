/** Reduces the REPL state. */
import {type Action, print, printNotice, sequence, type Update, update} from './action.ts';
import {changeServers} from './commands/servers.ts';
import {openPicked} from './commands/session-commands.ts';
import {isEmpty} from './editor/buffer.ts';
import {reduceKeys} from './keys/reduce-keys.ts';
import {withOlderPrompts} from './keys/reduce-search.ts';
import {listAgain} from './list/reduce-menu.ts';
import {chooseTurn} from './list/reduce-tree.ts';
import {showNotice} from './popup.ts';
import type {ReplState, Stamp} from './state.ts';
import {endTask} from './task.ts';
import {reduceShared} from './turn/reduce-answer.ts';
import {reduceEvents, startTurn} from './turn/reduce-turn.ts';
import {enterText} from './turn/submit.ts';

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
		case 'task-ended':
			return endTask(state, action.name, action.outcome);
		case 'failed':
			return update(state, print({type: 'error', error: action.error}));
		case 'session-picked':
			return openPicked(state, action.id);
		case 'servers-changed':
			return sequence(state, (current) => changeServers(current, action.servers), listAgain);
		case 'notice-given':
			if (action.isBrief === true) return showNotice(state, action.text);
			return update(state, printNotice(action.text));
		case 'question-asked':
			return openQuestion(state, action);
		case 'history-loaded':
			return update(withOlderPrompts(state, action.prompts));
		case 'model-known': {
			const {name, model} = action;
			// The service's own figure, if it was asked, counts more.
			const context = state.knownModels.get(name)?.context ?? model.context;
			const known = {...model, context};
			return update({...state, knownModels: new Map([...state.knownModels, [name, known]])});
		}
		case 'key-disarmed':
			return update({...state, armedKey: undefined});
		case 'closed':
			return update({...state, isClosing: true});
		default:
			return reduceShared(state, action);
	}
}

type Asked = Extract<Action, {type: 'question-asked'}>;

/**
 * Opens a question, closing everything that takes keys. Letters typed for a draft must not answer
 * it.
 */
function openQuestion(state: ReplState, action: Asked): Update {
	const alone = {...state, search: undefined, menu: undefined, tree: undefined, popup: undefined};
	const {state: asked, effects} = reduceShared(alone, action);
	const typed = isEmpty(state.editor.buffer) ? undefined : '';
	return update({...asked, question: asked.question && {...asked.question, typed}}, ...effects);
}
