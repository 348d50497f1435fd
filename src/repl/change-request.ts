/** The commands that show or change what the next request asks for. */
import {withSystem} from '../chat/conversation.ts';
import {textOf} from '../chat/message.ts';
import {expandModelName} from '../settings/service/model-name.ts';
import {type Outcome, outcome, print} from './action.ts';
import {changeOption, describeOptions} from './chat-settings.ts';
import {complain, tell} from './popup.ts';
import type {ReplState} from './state.ts';

export function changeModel(state: ReplState, argument: string): Outcome {
	if (argument === '') return say(state, `model: ${state.options.model}`);
	if (/\s/.test(argument)) return complain(state, 'the name of a model has no spaces');
	const model = expandModelName(argument, state.family);
	const next = {...state, options: {...state.options, model}};
	return confirm(next, `the model is now ${model}`);
}

export function changeSystem(state: ReplState, argument: string): Outcome {
	if (argument === '') {
		const [first] = state.conversation.messages;
		const text = first?.role === 'system' ? textOf(first) : '';
		return say(state, text === '' ? 'there is no system message' : `system: ${text}`);
	}
	if (/^@\S+$/.test(argument)) {
		return complain(state, 'the system message is read from a file only by -s @file');
	}
	const conversation = withSystem(state.conversation, argument === '-' ? '' : argument);
	const text = argument === '-' ? 'the system message is gone' : 'the system message is set';
	return confirm({...state, conversation}, text);
}

export function changeSetting(state: ReplState, argument: string): Outcome {
	if (argument === '') return say(state, describeOptions(state.options));
	const [name = '', ...rest] = argument.split(/\s+/);
	const changed = changeOption(state.options, name, rest.join(' '));
	if (typeof changed === 'string') return complain(state, changed);
	return confirm({...state, options: changed.options}, changed.text);
}

/** Says what has changed for the next request. */
function confirm(state: ReplState, text: string): Outcome {
	const when = state.turn === undefined ? '' : ', from the next prompt on';
	return outcome(state, print({type: 'notice', text: `${text}${when}`}));
}

function say(state: ReplState, text: string): Outcome {
	return tell(state, {type: 'text', text});
}
