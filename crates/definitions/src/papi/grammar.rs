// auto-generated: "lalrpop 0.23.2"
// sha3: 6dba6e7cc7166e1b4e0bb6776d73ce35ee6f900aed6a340641cea8925e0cb7d1
// features: 
use crate::papi::builder::{Builder, Head};
use crate::papi::lexer::{End, Slice, Token};
#[allow(unused_extern_crates)]
extern crate lalrpop_util as __lalrpop_util;
#[allow(unused_imports)]
use self::__lalrpop_util::state_machine as __state_machine;
#[allow(unused_extern_crates)]
extern crate alloc;

#[rustfmt::skip]
#[allow(explicit_outlives_requirements, non_snake_case, non_camel_case_types, unused_mut, unused_variables, unused_imports, unused_parens, clippy::needless_lifetimes, clippy::type_complexity, clippy::needless_return, clippy::too_many_arguments, clippy::match_single_binding, clippy::clone_on_copy, clippy::unit_arg)]
mod __parse__File {

    use crate::papi::builder::{Builder, Head};
    use crate::papi::lexer::{End, Slice, Token};
    #[allow(unused_extern_crates)]
    extern crate lalrpop_util as __lalrpop_util;
    #[allow(unused_imports)]
    use self::__lalrpop_util::state_machine as __state_machine;
    #[allow(unused_extern_crates)]
    extern crate alloc;
    use super::__ToTriple;
    #[allow(dead_code)]
    pub(crate) enum __Symbol<>
     {
        Variant0(Slice),
        Variant1(End),
        Variant2(()),
        Variant3(alloc::vec::Vec<Slice>),
        Variant4(Option<()>),
    }
    const __ACTION: &[i8] = &[
        // State 0
        -13, -13, -13, -13, -13, -13, -13, 0,
        // State 1
        4, 6, 5, 31, 33, 34, 32, 0,
        // State 2
        36, 38, 37, 39, 41, 42, 40, 43,
        // State 3
        36, 38, 37, 39, 41, 42, 40, 44,
        // State 4
        36, 38, 37, 39, 41, 47, 46, 0,
        // State 5
        36, 38, 37, 39, 41, 42, 40, 48,
        // State 6
        36, 38, 37, 39, 41, 51, 50, 52,
        // State 7
        36, 38, 37, 39, 41, 51, 50, 53,
        // State 8
        36, 38, 37, 39, 41, 51, 50, 54,
        // State 9
        0, 0, 0, 0, 0, 0, 55, 0,
        // State 10
        36, 38, 37, 39, 41, 0, 57, 0,
        // State 11
        0, 0, 0, 0, 0, 0, 55, 0,
        // State 12
        36, 38, 37, 39, 41, 0, 57, 0,
        // State 13
        0, 0, 0, 0, 0, 0, 55, 0,
        // State 14
        36, 38, 37, 39, 41, 0, 57, 0,
        // State 15
        0, 0, 0, 0, 0, 59, 58, 60,
        // State 16
        0, 0, 0, 0, 0, 0, 55, 0,
        // State 17
        0, 0, 0, 0, 0, 59, 58, 61,
        // State 18
        0, 0, 0, 0, 0, 0, 55, 0,
        // State 19
        0, 0, 0, 0, 0, 59, 58, 62,
        // State 20
        0, 0, 0, 0, 0, 0, 55, 0,
        // State 21
        36, 38, 37, 39, 41, 64, 57, 65,
        // State 22
        0, 0, 0, 0, 0, 59, 58, 66,
        // State 23
        36, 38, 37, 39, 41, 64, 57, 67,
        // State 24
        0, 0, 0, 0, 0, 59, 58, 68,
        // State 25
        36, 38, 37, 39, 41, 64, 57, 69,
        // State 26
        0, 0, 0, 0, 0, 59, 58, 70,
        // State 27
        36, 38, 37, 39, 41, 64, 57, 71,
        // State 28
        36, 38, 37, 39, 41, 64, 57, 72,
        // State 29
        36, 38, 37, 39, 41, 64, 57, 73,
        // State 30
        -52, -52, -52, -52, -52, -52, -52, -52,
        // State 31
        -50, -50, -50, -50, -50, -50, -50, -50,
        // State 32
        -53, -53, -53, -53, -53, -53, -53, -53,
        // State 33
        -51, -51, -51, -51, -51, -51, -51, -51,
        // State 34
        -8, -8, -8, -8, -8, -8, -8, -8,
        // State 35
        -56, -56, -56, -56, -56, -56, -56, -56,
        // State 36
        -58, -58, -58, -58, -58, -58, -58, -58,
        // State 37
        -57, -57, -57, -57, -57, -57, -57, -57,
        // State 38
        -59, -59, -59, -59, -59, -59, -59, -59,
        // State 39
        -7, -7, -7, -7, -7, -7, -7, -7,
        // State 40
        -60, -60, -60, -60, -60, -60, -60, -60,
        // State 41
        -9, -9, -9, -9, -9, -9, -9, -9,
        // State 42
        -30, -30, -30, -30, -30, -30, -30, 0,
        // State 43
        -14, -14, -14, -14, -14, -14, -14, 0,
        // State 44
        0, 0, 0, 10, 11, 0, 0, 0,
        // State 45
        0, 0, 0, 12, 13, 0, 0, 0,
        // State 46
        0, 0, 0, 14, 15, 0, 0, 0,
        // State 47
        -16, -16, -16, -16, -16, -16, -16, 0,
        // State 48
        -11, -11, -11, -11, -11, -11, -11, -11,
        // State 49
        -10, -10, -10, -10, -10, -10, -10, -10,
        // State 50
        -12, -12, -12, -12, -12, -12, -12, -12,
        // State 51
        -31, -31, -31, -31, -31, -31, -31, 0,
        // State 52
        -15, -15, -15, -15, -15, -15, -15, 0,
        // State 53
        -17, -17, -17, -17, -17, -17, -17, 0,
        // State 54
        0, 0, 0, 0, 0, -61, -61, -61,
        // State 55
        -55, -55, -55, -55, -55, -55, -55, -55,
        // State 56
        -54, -54, -54, -54, -54, -54, -54, -54,
        // State 57
        0, 0, 0, 0, 0, -62, -62, -62,
        // State 58
        -63, -63, -63, -63, -63, -63, -63, -63,
        // State 59
        -21, -21, -21, -21, -21, -21, -21, 0,
        // State 60
        -19, -19, -19, -19, -19, -19, -19, 0,
        // State 61
        -23, -23, -23, -23, -23, -23, -23, 0,
        // State 62
        -65, -65, -65, -65, -65, -65, -65, -65,
        // State 63
        -64, -64, -64, -64, -64, -64, -64, -64,
        // State 64
        -20, -20, -20, -20, -20, -20, -20, 0,
        // State 65
        -27, -27, -27, -27, -27, -27, -27, 0,
        // State 66
        -18, -18, -18, -18, -18, -18, -18, 0,
        // State 67
        -25, -25, -25, -25, -25, -25, -25, 0,
        // State 68
        -22, -22, -22, -22, -22, -22, -22, 0,
        // State 69
        -29, -29, -29, -29, -29, -29, -29, 0,
        // State 70
        -26, -26, -26, -26, -26, -26, -26, 0,
        // State 71
        -24, -24, -24, -24, -24, -24, -24, 0,
        // State 72
        -28, -28, -28, -28, -28, -28, -28, 0,
    ];
    fn __action(state: i8, integer: usize) -> i8 {
        __ACTION[(state as usize) * 8 + integer]
    }
    const __EOF_ACTION: &[i8] = &[
        // State 0
        -13,
        // State 1
        -68,
        // State 2
        0,
        // State 3
        0,
        // State 4
        0,
        // State 5
        0,
        // State 6
        0,
        // State 7
        0,
        // State 8
        0,
        // State 9
        0,
        // State 10
        0,
        // State 11
        0,
        // State 12
        0,
        // State 13
        0,
        // State 14
        0,
        // State 15
        0,
        // State 16
        0,
        // State 17
        0,
        // State 18
        0,
        // State 19
        0,
        // State 20
        0,
        // State 21
        0,
        // State 22
        0,
        // State 23
        0,
        // State 24
        0,
        // State 25
        0,
        // State 26
        0,
        // State 27
        0,
        // State 28
        0,
        // State 29
        0,
        // State 30
        0,
        // State 31
        0,
        // State 32
        0,
        // State 33
        0,
        // State 34
        0,
        // State 35
        0,
        // State 36
        0,
        // State 37
        0,
        // State 38
        0,
        // State 39
        0,
        // State 40
        0,
        // State 41
        0,
        // State 42
        -30,
        // State 43
        -14,
        // State 44
        0,
        // State 45
        0,
        // State 46
        0,
        // State 47
        -16,
        // State 48
        0,
        // State 49
        0,
        // State 50
        0,
        // State 51
        -31,
        // State 52
        -15,
        // State 53
        -17,
        // State 54
        0,
        // State 55
        0,
        // State 56
        0,
        // State 57
        0,
        // State 58
        0,
        // State 59
        -21,
        // State 60
        -19,
        // State 61
        -23,
        // State 62
        0,
        // State 63
        0,
        // State 64
        -20,
        // State 65
        -27,
        // State 66
        -18,
        // State 67
        -25,
        // State 68
        -22,
        // State 69
        -29,
        // State 70
        -26,
        // State 71
        -24,
        // State 72
        -28,
    ];
    fn __goto(state: i8, nt: usize) -> i8 {
        match nt {
            3 => match state {
                3 => 7,
                5 => 8,
                _ => 6,
            },
            4 => 1,
            6 => 2,
            7 => match state {
                10 => 16,
                12 => 18,
                14 => 20,
                _ => 62,
            },
            8 => match state {
                2..=3 | 5 => 34,
                4 => 44,
                6..=8 => 48,
                _ => 55,
            },
            9 => match state {
                11 => 17,
                13 => 19,
                16 => 22,
                18 => 24,
                20 => 26,
                _ => 15,
            },
            10 => match state {
                17 => 23,
                19 => 25,
                22 => 27,
                24 => 28,
                26 => 29,
                _ => 21,
            },
            _ => 0,
        }
    }
    #[allow(clippy::needless_raw_string_hashes)]
    const __TERMINAL: &[&str] = &[
        r###""CPU""###,
        r###""a component""###,
        r###""PRESET or EVENT""###,
        r###""a derived type""###,
        r###""a formula type""###,
        r###""a key""###,
        r###""a field""###,
        r###""the end of the line""###,
    ];
    fn __expected_tokens(__state: i8) -> alloc::vec::Vec<alloc::string::String> {
        __TERMINAL.iter().enumerate().filter_map(|(index, terminal)| {
            let next_state = __action(__state, index);
            if next_state == 0 {
                None
            } else {
                Some(alloc::string::ToString::to_string(terminal))
            }
        }).collect()
    }
    fn __expected_tokens_from_states<
        's,
        'b,
    >(
        __states: &[i8],
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> alloc::vec::Vec<alloc::string::String>
    where
        's: 'b,
    {
        __TERMINAL.iter().enumerate().filter_map(|(index, terminal)| {
            if __accepts(None, __states, Some(index), core::marker::PhantomData::<(&(), &())>) {
                Some(alloc::string::ToString::to_string(terminal))
            } else {
                None
            }
        }).collect()
    }
    struct __StateMachine<'s, 'b>
    where 's: 'b
    {
        builder: &'b mut Builder<'s>,
        __phantom: core::marker::PhantomData<(&'s (), &'b ())>,
    }
    impl<'s, 'b> __state_machine::ParserDefinition for __StateMachine<'s, 'b>
    where 's: 'b
    {
        type Location = ();
        type Error = std::convert::Infallible;
        type Token = Token;
        type TokenIndex = usize;
        type Symbol = __Symbol<>;
        type Success = ();
        type StateIndex = i8;
        type Action = i8;
        type ReduceIndex = i8;
        type NonterminalIndex = usize;

        #[inline]
        fn start_location(&self) -> Self::Location {
              Default::default()
        }

        #[inline]
        fn start_state(&self) -> Self::StateIndex {
              0
        }

        #[inline]
        fn token_to_index(&self, token: &Self::Token) -> Option<usize> {
            __token_to_integer(token, core::marker::PhantomData::<(&(), &())>)
        }

        #[inline]
        fn action(&self, state: i8, integer: usize) -> i8 {
            __action(state, integer)
        }

        #[inline]
        fn error_action(&self, state: i8) -> i8 {
            __action(state, 8 - 1)
        }

        #[inline]
        fn eof_action(&self, state: i8) -> i8 {
            __EOF_ACTION[state as usize]
        }

        #[inline]
        fn goto(&self, state: i8, nt: usize) -> i8 {
            __goto(state, nt)
        }

        fn token_to_symbol(&self, token_index: usize, token: Self::Token) -> Self::Symbol {
            __token_to_symbol(token_index, token, core::marker::PhantomData::<(&(), &())>)
        }

        fn expected_tokens(&self, state: i8) -> alloc::vec::Vec<alloc::string::String> {
            __expected_tokens(state)
        }

        fn expected_tokens_from_states(&self, states: &[i8]) -> alloc::vec::Vec<alloc::string::String> {
            __expected_tokens_from_states(states, core::marker::PhantomData::<(&(), &())>)
        }

        #[inline]
        fn uses_error_recovery(&self) -> bool {
            false
        }

        #[inline]
        fn error_recovery_symbol(
            &self,
            recovery: __state_machine::ErrorRecovery<Self>,
        ) -> Self::Symbol {
            panic!("error recovery not enabled for this grammar")
        }

        fn reduce(
            &mut self,
            action: i8,
            start_location: Option<&Self::Location>,
            states: &mut alloc::vec::Vec<i8>,
            symbols: &mut alloc::vec::Vec<__state_machine::SymbolTriple<Self>>,
        ) -> Option<__state_machine::ParseResult<Self>> {
            __reduce(
                self.builder,
                action,
                start_location,
                states,
                symbols,
                core::marker::PhantomData::<(&(), &())>,
            )
        }

        fn simulate_reduce(&self, action: i8) -> __state_machine::SimulatedReduce<Self> {
            __simulate_reduce(action, core::marker::PhantomData::<(&(), &())>)
        }
    }
    fn __token_to_integer<
        's,
        'b,
    >(
        __token: &Token,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> Option<usize>
    {
        #[warn(unused_variables)]
        match __token {
            Token::Cpu(_) if true => Some(0),
            Token::Component(_) if true => Some(1),
            Token::Keyword(_) if true => Some(2),
            Token::Type(_) if true => Some(3),
            Token::FormulaType(_) if true => Some(4),
            Token::Key(_) if true => Some(5),
            Token::Word(_) if true => Some(6),
            Token::EndOfLine(_) if true => Some(7),
            _ => None,
        }
    }
    fn __token_to_symbol<
        's,
        'b,
    >(
        __token_index: usize,
        __token: Token,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> __Symbol<>
    {
        #[allow(clippy::manual_range_patterns)]match __token_index {
            0 | 1 | 2 | 3 | 4 | 5 | 6 => match __token {
                Token::Cpu(__tok0) | Token::Component(__tok0) | Token::Keyword(__tok0) | Token::Type(__tok0) | Token::FormulaType(__tok0) | Token::Key(__tok0) | Token::Word(__tok0) if true => __Symbol::Variant0(__tok0),
                _ => unreachable!(),
            },
            7 => match __token {
                Token::EndOfLine(__tok0) if true => __Symbol::Variant1(__tok0),
                _ => unreachable!(),
            },
            _ => unreachable!(),
        }
    }
    fn __simulate_reduce<
        's,
        'b,
    >(
        __reduce_index: i8,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> __state_machine::SimulatedReduce<__StateMachine<'s, 'b>>
    where
        's: 'b,
    {
        match __reduce_index {
            0 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 0,
                    nonterminal_produced: 0,
                }
            }
            1 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 1,
                }
            }
            2 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 1,
                }
            }
            3 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 1,
                }
            }
            4 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 0,
                    nonterminal_produced: 2,
                }
            }
            5 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 2,
                }
            }
            6 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 3,
                }
            }
            7 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 3,
                }
            }
            8 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 3,
                }
            }
            9 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 3,
                }
            }
            10 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 3,
                }
            }
            11 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 3,
                }
            }
            12 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 0,
                    nonterminal_produced: 4,
                }
            }
            13 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 3,
                    nonterminal_produced: 4,
                }
            }
            14 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 4,
                }
            }
            15 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 3,
                    nonterminal_produced: 4,
                }
            }
            16 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 4,
                }
            }
            17 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 7,
                    nonterminal_produced: 4,
                }
            }
            18 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 6,
                    nonterminal_produced: 4,
                }
            }
            19 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 7,
                    nonterminal_produced: 4,
                }
            }
            20 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 6,
                    nonterminal_produced: 4,
                }
            }
            21 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 7,
                    nonterminal_produced: 4,
                }
            }
            22 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 6,
                    nonterminal_produced: 4,
                }
            }
            23 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 8,
                    nonterminal_produced: 4,
                }
            }
            24 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 7,
                    nonterminal_produced: 4,
                }
            }
            25 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 8,
                    nonterminal_produced: 4,
                }
            }
            26 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 7,
                    nonterminal_produced: 4,
                }
            }
            27 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 8,
                    nonterminal_produced: 4,
                }
            }
            28 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 7,
                    nonterminal_produced: 4,
                }
            }
            29 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 3,
                    nonterminal_produced: 4,
                }
            }
            30 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 4,
                }
            }
            31 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 5,
                }
            }
            32 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 3,
                    nonterminal_produced: 5,
                }
            }
            33 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 5,
                }
            }
            34 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 3,
                    nonterminal_produced: 5,
                }
            }
            35 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 6,
                    nonterminal_produced: 5,
                }
            }
            36 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 5,
                    nonterminal_produced: 5,
                }
            }
            37 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 6,
                    nonterminal_produced: 5,
                }
            }
            38 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 5,
                    nonterminal_produced: 5,
                }
            }
            39 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 6,
                    nonterminal_produced: 5,
                }
            }
            40 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 5,
                    nonterminal_produced: 5,
                }
            }
            41 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 7,
                    nonterminal_produced: 5,
                }
            }
            42 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 6,
                    nonterminal_produced: 5,
                }
            }
            43 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 7,
                    nonterminal_produced: 5,
                }
            }
            44 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 6,
                    nonterminal_produced: 5,
                }
            }
            45 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 7,
                    nonterminal_produced: 5,
                }
            }
            46 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 6,
                    nonterminal_produced: 5,
                }
            }
            47 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 5,
                }
            }
            48 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 3,
                    nonterminal_produced: 5,
                }
            }
            49 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 6,
                }
            }
            50 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 6,
                }
            }
            51 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 6,
                }
            }
            52 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 6,
                }
            }
            53 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 7,
                }
            }
            54 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 7,
                }
            }
            55 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 8,
                }
            }
            56 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 8,
                }
            }
            57 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 8,
                }
            }
            58 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 8,
                }
            }
            59 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 8,
                }
            }
            60 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 9,
                }
            }
            61 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 9,
                }
            }
            62 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 10,
                }
            }
            63 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 10,
                }
            }
            64 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 10,
                }
            }
            65 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 11,
                }
            }
            66 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 0,
                    nonterminal_produced: 11,
                }
            }
            67 => __state_machine::SimulatedReduce::Accept,
            _ => panic!("invalid reduction index {__reduce_index}")
        }
    }
    pub(crate) struct FileParser {
        _priv: (),
    }

    impl Default for FileParser { fn default() -> Self { Self::new() } }
    impl FileParser {
        pub(crate) fn new() -> FileParser {
            FileParser {
                _priv: (),
            }
        }

        #[allow(dead_code)]
        pub(crate) fn parse<
            's,
            'b,
            __TOKEN: __ToTriple<'s, 'b, >,
            __TOKENS: IntoIterator<Item=__TOKEN>,
        >(
            &self,
            builder: &'b mut Builder<'s>,
            __tokens0: __TOKENS,
        ) -> Result<(), __lalrpop_util::ParseError<(), Token, std::convert::Infallible>>
        {
            let __tokens = __tokens0.into_iter();
            let mut __tokens = __tokens.map(|t| __ToTriple::to_triple(t));
            __state_machine::Parser::drive(
                __StateMachine {
                    builder,
                    __phantom: core::marker::PhantomData::<(&(), &())>,
                },
                __tokens,
            )
        }
    }
    fn __accepts<
        's,
        'b,
    >(
        __error_state: Option<i8>,
        __states: &[i8],
        __opt_integer: Option<usize>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> bool
    where
        's: 'b,
    {
        let mut __states = __states.to_vec();
        __states.extend(__error_state);
        loop {
            let mut __states_len = __states.len();
            let __top = __states[__states_len - 1];
            let __action = match __opt_integer {
                None => __EOF_ACTION[__top as usize],
                Some(__integer) => __action(__top, __integer),
            };
            if __action == 0 { return false; }
            if __action > 0 { return true; }
            let (__to_pop, __nt) = match __simulate_reduce(-(__action + 1), core::marker::PhantomData::<(&(), &())>) {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop, nonterminal_produced
                } => (states_to_pop, nonterminal_produced),
                __state_machine::SimulatedReduce::Accept => return true,
            };
            __states_len -= __to_pop;
            __states.truncate(__states_len);
            let __top = __states[__states_len - 1];
            let __next_state = __goto(__top, __nt);
            __states.push(__next_state);
        }
    }
    fn __reduce<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __action: i8,
        __lookahead_start: Option<&()>,
        __states: &mut alloc::vec::Vec<i8>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> Option<Result<(),__lalrpop_util::ParseError<(), Token, std::convert::Infallible>>>
    {
        let (__pop_states, __nonterminal) = match __action {
            0 => {
                __reduce0(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            1 => {
                __reduce1(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            2 => {
                __reduce2(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            3 => {
                __reduce3(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            4 => {
                __reduce4(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            5 => {
                __reduce5(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            6 => {
                __reduce6(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            7 => {
                __reduce7(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            8 => {
                __reduce8(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            9 => {
                __reduce9(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            10 => {
                __reduce10(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            11 => {
                __reduce11(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            12 => {
                __reduce12(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            13 => {
                __reduce13(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            14 => {
                __reduce14(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            15 => {
                __reduce15(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            16 => {
                __reduce16(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            17 => {
                __reduce17(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            18 => {
                __reduce18(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            19 => {
                __reduce19(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            20 => {
                __reduce20(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            21 => {
                __reduce21(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            22 => {
                __reduce22(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            23 => {
                __reduce23(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            24 => {
                __reduce24(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            25 => {
                __reduce25(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            26 => {
                __reduce26(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            27 => {
                __reduce27(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            28 => {
                __reduce28(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            29 => {
                __reduce29(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            30 => {
                __reduce30(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            31 => {
                __reduce31(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            32 => {
                __reduce32(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            33 => {
                __reduce33(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            34 => {
                __reduce34(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            35 => {
                __reduce35(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            36 => {
                __reduce36(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            37 => {
                __reduce37(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            38 => {
                __reduce38(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            39 => {
                __reduce39(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            40 => {
                __reduce40(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            41 => {
                __reduce41(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            42 => {
                __reduce42(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            43 => {
                __reduce43(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            44 => {
                __reduce44(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            45 => {
                __reduce45(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            46 => {
                __reduce46(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            47 => {
                __reduce47(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            48 => {
                __reduce48(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            49 => {
                __reduce49(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            50 => {
                __reduce50(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            51 => {
                __reduce51(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            52 => {
                __reduce52(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            53 => {
                __reduce53(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            54 => {
                __reduce54(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            55 => {
                __reduce55(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            56 => {
                __reduce56(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            57 => {
                __reduce57(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            58 => {
                __reduce58(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            59 => {
                __reduce59(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            60 => {
                __reduce60(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            61 => {
                __reduce61(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            62 => {
                __reduce62(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            63 => {
                __reduce63(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            64 => {
                __reduce64(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            65 => {
                __reduce65(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            66 => {
                __reduce66(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            67 => {
                // __File = File => ActionFn(0);
                let __sym0 = __pop_Variant2(__symbols);
                let __start = __sym0.0.clone();
                let __end = __sym0.2.clone();
                let __nt = super::__action0::<>(builder, __sym0);
                return Some(Ok(__nt));
            }
            _ => panic!("invalid action code {__action}")
        };
        let __states_len = __states.len();
        __states.truncate(__states_len - __pop_states);
        let __state = *__states.last().unwrap();
        let __next_state = __goto(__state, __nonterminal);
        __states.push(__next_state);
        None
    }
    #[inline(never)]
    fn __symbol_type_mismatch() -> ! {
        panic!("symbol type mismatch")
    }
    fn __pop_Variant2<
    >(
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>
    ) -> ((), (), ())
     {
        match __symbols.pop() {
            Some((__l, __Symbol::Variant2(__v), __r)) => (__l, __v, __r),
            _ => __symbol_type_mismatch()
        }
    }
    fn __pop_Variant1<
    >(
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>
    ) -> ((), End, ())
     {
        match __symbols.pop() {
            Some((__l, __Symbol::Variant1(__v), __r)) => (__l, __v, __r),
            _ => __symbol_type_mismatch()
        }
    }
    fn __pop_Variant4<
    >(
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>
    ) -> ((), Option<()>, ())
     {
        match __symbols.pop() {
            Some((__l, __Symbol::Variant4(__v), __r)) => (__l, __v, __r),
            _ => __symbol_type_mismatch()
        }
    }
    fn __pop_Variant0<
    >(
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>
    ) -> ((), Slice, ())
     {
        match __symbols.pop() {
            Some((__l, __Symbol::Variant0(__v), __r)) => (__l, __v, __r),
            _ => __symbol_type_mismatch()
        }
    }
    fn __pop_Variant3<
    >(
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>
    ) -> ((), alloc::vec::Vec<Slice>, ())
     {
        match __symbols.pop() {
            Some((__l, __Symbol::Variant3(__v), __r)) => (__l, __v, __r),
            _ => __symbol_type_mismatch()
        }
    }
    fn __reduce0<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // () =  => ActionFn(31);
        let __start = __lookahead_start.cloned().or_else(|| __symbols.last().map(|s| s.2.clone())).unwrap_or_default();
        let __end = __start.clone();
        let __nt = super::__action31::<>(builder, &__start, &__end);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (0, 0)
    }
    fn __reduce1<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any = "a field" => ActionFn(13);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action13::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 1)
    }
    fn __reduce2<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any = Reserved => ActionFn(14);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action14::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 1)
    }
    fn __reduce3<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any = "a key" => ActionFn(15);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action15::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 1)
    }
    fn __reduce4<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any* =  => ActionFn(29);
        let __start = __lookahead_start.cloned().or_else(|| __symbols.last().map(|s| s.2.clone())).unwrap_or_default();
        let __end = __start.clone();
        let __nt = super::__action29::<>(builder, &__start, &__end);
        __symbols.push((__start, __Symbol::Variant3(__nt), __end));
        (0, 2)
    }
    fn __reduce5<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any* = Any+ => ActionFn(30);
        let __sym0 = __pop_Variant3(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action30::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant3(__nt), __end));
        (1, 2)
    }
    fn __reduce6<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any+ = "a field" => ActionFn(35);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action35::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant3(__nt), __end));
        (1, 3)
    }
    fn __reduce7<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any+ = Reserved => ActionFn(36);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action36::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant3(__nt), __end));
        (1, 3)
    }
    fn __reduce8<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any+ = "a key" => ActionFn(37);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action37::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant3(__nt), __end));
        (1, 3)
    }
    fn __reduce9<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any+ = Any+, "a field" => ActionFn(38);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant3(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action38::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant3(__nt), __end));
        (2, 3)
    }
    fn __reduce10<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any+ = Any+, Reserved => ActionFn(39);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant3(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action39::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant3(__nt), __end));
        (2, 3)
    }
    fn __reduce11<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any+ = Any+, "a key" => ActionFn(40);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant3(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action40::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant3(__nt), __end));
        (2, 3)
    }
    fn __reduce12<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // File =  => ActionFn(34);
        let __start = __lookahead_start.cloned().or_else(|| __symbols.last().map(|s| s.2.clone())).unwrap_or_default();
        let __end = __start.clone();
        let __nt = super::__action34::<>(builder, &__start, &__end);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (0, 4)
    }
    fn __reduce13<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // File = File, "CPU", "the end of the line" => ActionFn(65);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant1(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action65::<>(builder, __sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (3, 4)
    }
    fn __reduce14<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // File = File, "CPU", Any+, "the end of the line" => ActionFn(66);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant1(__symbols);
        let __sym2 = __pop_Variant3(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action66::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (4, 4)
    }
    fn __reduce15<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // File = File, "a component", "the end of the line" => ActionFn(67);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant1(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action67::<>(builder, __sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (3, 4)
    }
    fn __reduce16<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // File = File, "a component", Any+, "the end of the line" => ActionFn(68);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant1(__symbols);
        let __sym2 = __pop_Variant3(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action68::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (4, 4)
    }
    fn __reduce17<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // File = File, "PRESET or EVENT", "a field", "a derived type", Terms, Texts, "the end of the line" => ActionFn(69);
        assert!(__symbols.len() >= 7);
        let __sym6 = __pop_Variant1(__symbols);
        let __sym5 = __pop_Variant2(__symbols);
        let __sym4 = __pop_Variant2(__symbols);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant0(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym6.2.clone();
        let __nt = super::__action69::<>(builder, __sym0, __sym1, __sym2, __sym3, __sym4, __sym5, __sym6);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (7, 4)
    }
    fn __reduce18<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // File = File, "PRESET or EVENT", "a field", "a derived type", Terms, "the end of the line" => ActionFn(70);
        assert!(__symbols.len() >= 6);
        let __sym5 = __pop_Variant1(__symbols);
        let __sym4 = __pop_Variant2(__symbols);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant0(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym5.2.clone();
        let __nt = super::__action70::<>(builder, __sym0, __sym1, __sym2, __sym3, __sym4, __sym5);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (6, 4)
    }
    fn __reduce19<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // File = File, "PRESET or EVENT", Reserved, "a derived type", Terms, Texts, "the end of the line" => ActionFn(71);
        assert!(__symbols.len() >= 7);
        let __sym6 = __pop_Variant1(__symbols);
        let __sym5 = __pop_Variant2(__symbols);
        let __sym4 = __pop_Variant2(__symbols);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant0(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym6.2.clone();
        let __nt = super::__action71::<>(builder, __sym0, __sym1, __sym2, __sym3, __sym4, __sym5, __sym6);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (7, 4)
    }
    fn __reduce20<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // File = File, "PRESET or EVENT", Reserved, "a derived type", Terms, "the end of the line" => ActionFn(72);
        assert!(__symbols.len() >= 6);
        let __sym5 = __pop_Variant1(__symbols);
        let __sym4 = __pop_Variant2(__symbols);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant0(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym5.2.clone();
        let __nt = super::__action72::<>(builder, __sym0, __sym1, __sym2, __sym3, __sym4, __sym5);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (6, 4)
    }
    fn __reduce21<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // File = File, "PRESET or EVENT", "a key", "a derived type", Terms, Texts, "the end of the line" => ActionFn(73);
        assert!(__symbols.len() >= 7);
        let __sym6 = __pop_Variant1(__symbols);
        let __sym5 = __pop_Variant2(__symbols);
        let __sym4 = __pop_Variant2(__symbols);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant0(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym6.2.clone();
        let __nt = super::__action73::<>(builder, __sym0, __sym1, __sym2, __sym3, __sym4, __sym5, __sym6);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (7, 4)
    }
    fn __reduce22<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // File = File, "PRESET or EVENT", "a key", "a derived type", Terms, "the end of the line" => ActionFn(74);
        assert!(__symbols.len() >= 6);
        let __sym5 = __pop_Variant1(__symbols);
        let __sym4 = __pop_Variant2(__symbols);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant0(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym5.2.clone();
        let __nt = super::__action74::<>(builder, __sym0, __sym1, __sym2, __sym3, __sym4, __sym5);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (6, 4)
    }
    fn __reduce23<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // File = File, "PRESET or EVENT", "a field", "a formula type", Plain, Terms, Texts, "the end of the line" => ActionFn(75);
        assert!(__symbols.len() >= 8);
        let __sym7 = __pop_Variant1(__symbols);
        let __sym6 = __pop_Variant2(__symbols);
        let __sym5 = __pop_Variant2(__symbols);
        let __sym4 = __pop_Variant0(__symbols);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant0(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym7.2.clone();
        let __nt = super::__action75::<>(builder, __sym0, __sym1, __sym2, __sym3, __sym4, __sym5, __sym6, __sym7);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (8, 4)
    }
    fn __reduce24<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // File = File, "PRESET or EVENT", "a field", "a formula type", Plain, Terms, "the end of the line" => ActionFn(76);
        assert!(__symbols.len() >= 7);
        let __sym6 = __pop_Variant1(__symbols);
        let __sym5 = __pop_Variant2(__symbols);
        let __sym4 = __pop_Variant0(__symbols);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant0(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym6.2.clone();
        let __nt = super::__action76::<>(builder, __sym0, __sym1, __sym2, __sym3, __sym4, __sym5, __sym6);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (7, 4)
    }
    fn __reduce25<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // File = File, "PRESET or EVENT", Reserved, "a formula type", Plain, Terms, Texts, "the end of the line" => ActionFn(77);
        assert!(__symbols.len() >= 8);
        let __sym7 = __pop_Variant1(__symbols);
        let __sym6 = __pop_Variant2(__symbols);
        let __sym5 = __pop_Variant2(__symbols);
        let __sym4 = __pop_Variant0(__symbols);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant0(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym7.2.clone();
        let __nt = super::__action77::<>(builder, __sym0, __sym1, __sym2, __sym3, __sym4, __sym5, __sym6, __sym7);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (8, 4)
    }
    fn __reduce26<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // File = File, "PRESET or EVENT", Reserved, "a formula type", Plain, Terms, "the end of the line" => ActionFn(78);
        assert!(__symbols.len() >= 7);
        let __sym6 = __pop_Variant1(__symbols);
        let __sym5 = __pop_Variant2(__symbols);
        let __sym4 = __pop_Variant0(__symbols);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant0(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym6.2.clone();
        let __nt = super::__action78::<>(builder, __sym0, __sym1, __sym2, __sym3, __sym4, __sym5, __sym6);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (7, 4)
    }
    fn __reduce27<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // File = File, "PRESET or EVENT", "a key", "a formula type", Plain, Terms, Texts, "the end of the line" => ActionFn(79);
        assert!(__symbols.len() >= 8);
        let __sym7 = __pop_Variant1(__symbols);
        let __sym6 = __pop_Variant2(__symbols);
        let __sym5 = __pop_Variant2(__symbols);
        let __sym4 = __pop_Variant0(__symbols);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant0(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym7.2.clone();
        let __nt = super::__action79::<>(builder, __sym0, __sym1, __sym2, __sym3, __sym4, __sym5, __sym6, __sym7);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (8, 4)
    }
    fn __reduce28<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // File = File, "PRESET or EVENT", "a key", "a formula type", Plain, Terms, "the end of the line" => ActionFn(80);
        assert!(__symbols.len() >= 7);
        let __sym6 = __pop_Variant1(__symbols);
        let __sym5 = __pop_Variant2(__symbols);
        let __sym4 = __pop_Variant0(__symbols);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant0(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym6.2.clone();
        let __nt = super::__action80::<>(builder, __sym0, __sym1, __sym2, __sym3, __sym4, __sym5, __sym6);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (7, 4)
    }
    fn __reduce29<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // File = File, Other, "the end of the line" => ActionFn(81);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant1(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action81::<>(builder, __sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (3, 4)
    }
    fn __reduce30<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // File = File, Other, Any+, "the end of the line" => ActionFn(82);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant1(__symbols);
        let __sym2 = __pop_Variant3(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action82::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (4, 4)
    }
    fn __reduce31<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "CPU", "the end of the line" => ActionFn(47);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant1(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action47::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (2, 5)
    }
    fn __reduce32<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "CPU", Any+, "the end of the line" => ActionFn(48);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant1(__symbols);
        let __sym1 = __pop_Variant3(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action48::<>(builder, __sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (3, 5)
    }
    fn __reduce33<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "a component", "the end of the line" => ActionFn(49);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant1(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action49::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (2, 5)
    }
    fn __reduce34<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "a component", Any+, "the end of the line" => ActionFn(50);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant1(__symbols);
        let __sym1 = __pop_Variant3(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action50::<>(builder, __sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (3, 5)
    }
    fn __reduce35<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "PRESET or EVENT", "a field", "a derived type", Terms, Texts, "the end of the line" => ActionFn(53);
        assert!(__symbols.len() >= 6);
        let __sym5 = __pop_Variant1(__symbols);
        let __sym4 = __pop_Variant2(__symbols);
        let __sym3 = __pop_Variant2(__symbols);
        let __sym2 = __pop_Variant0(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym5.2.clone();
        let __nt = super::__action53::<>(builder, __sym0, __sym1, __sym2, __sym3, __sym4, __sym5);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (6, 5)
    }
    fn __reduce36<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "PRESET or EVENT", "a field", "a derived type", Terms, "the end of the line" => ActionFn(54);
        assert!(__symbols.len() >= 5);
        let __sym4 = __pop_Variant1(__symbols);
        let __sym3 = __pop_Variant2(__symbols);
        let __sym2 = __pop_Variant0(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym4.2.clone();
        let __nt = super::__action54::<>(builder, __sym0, __sym1, __sym2, __sym3, __sym4);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (5, 5)
    }
    fn __reduce37<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "PRESET or EVENT", Reserved, "a derived type", Terms, Texts, "the end of the line" => ActionFn(55);
        assert!(__symbols.len() >= 6);
        let __sym5 = __pop_Variant1(__symbols);
        let __sym4 = __pop_Variant2(__symbols);
        let __sym3 = __pop_Variant2(__symbols);
        let __sym2 = __pop_Variant0(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym5.2.clone();
        let __nt = super::__action55::<>(builder, __sym0, __sym1, __sym2, __sym3, __sym4, __sym5);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (6, 5)
    }
    fn __reduce38<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "PRESET or EVENT", Reserved, "a derived type", Terms, "the end of the line" => ActionFn(56);
        assert!(__symbols.len() >= 5);
        let __sym4 = __pop_Variant1(__symbols);
        let __sym3 = __pop_Variant2(__symbols);
        let __sym2 = __pop_Variant0(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym4.2.clone();
        let __nt = super::__action56::<>(builder, __sym0, __sym1, __sym2, __sym3, __sym4);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (5, 5)
    }
    fn __reduce39<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "PRESET or EVENT", "a key", "a derived type", Terms, Texts, "the end of the line" => ActionFn(57);
        assert!(__symbols.len() >= 6);
        let __sym5 = __pop_Variant1(__symbols);
        let __sym4 = __pop_Variant2(__symbols);
        let __sym3 = __pop_Variant2(__symbols);
        let __sym2 = __pop_Variant0(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym5.2.clone();
        let __nt = super::__action57::<>(builder, __sym0, __sym1, __sym2, __sym3, __sym4, __sym5);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (6, 5)
    }
    fn __reduce40<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "PRESET or EVENT", "a key", "a derived type", Terms, "the end of the line" => ActionFn(58);
        assert!(__symbols.len() >= 5);
        let __sym4 = __pop_Variant1(__symbols);
        let __sym3 = __pop_Variant2(__symbols);
        let __sym2 = __pop_Variant0(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym4.2.clone();
        let __nt = super::__action58::<>(builder, __sym0, __sym1, __sym2, __sym3, __sym4);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (5, 5)
    }
    fn __reduce41<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "PRESET or EVENT", "a field", "a formula type", Plain, Terms, Texts, "the end of the line" => ActionFn(59);
        assert!(__symbols.len() >= 7);
        let __sym6 = __pop_Variant1(__symbols);
        let __sym5 = __pop_Variant2(__symbols);
        let __sym4 = __pop_Variant2(__symbols);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant0(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym6.2.clone();
        let __nt = super::__action59::<>(builder, __sym0, __sym1, __sym2, __sym3, __sym4, __sym5, __sym6);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (7, 5)
    }
    fn __reduce42<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "PRESET or EVENT", "a field", "a formula type", Plain, Terms, "the end of the line" => ActionFn(60);
        assert!(__symbols.len() >= 6);
        let __sym5 = __pop_Variant1(__symbols);
        let __sym4 = __pop_Variant2(__symbols);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant0(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym5.2.clone();
        let __nt = super::__action60::<>(builder, __sym0, __sym1, __sym2, __sym3, __sym4, __sym5);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (6, 5)
    }
    fn __reduce43<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "PRESET or EVENT", Reserved, "a formula type", Plain, Terms, Texts, "the end of the line" => ActionFn(61);
        assert!(__symbols.len() >= 7);
        let __sym6 = __pop_Variant1(__symbols);
        let __sym5 = __pop_Variant2(__symbols);
        let __sym4 = __pop_Variant2(__symbols);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant0(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym6.2.clone();
        let __nt = super::__action61::<>(builder, __sym0, __sym1, __sym2, __sym3, __sym4, __sym5, __sym6);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (7, 5)
    }
    fn __reduce44<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "PRESET or EVENT", Reserved, "a formula type", Plain, Terms, "the end of the line" => ActionFn(62);
        assert!(__symbols.len() >= 6);
        let __sym5 = __pop_Variant1(__symbols);
        let __sym4 = __pop_Variant2(__symbols);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant0(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym5.2.clone();
        let __nt = super::__action62::<>(builder, __sym0, __sym1, __sym2, __sym3, __sym4, __sym5);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (6, 5)
    }
    fn __reduce45<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "PRESET or EVENT", "a key", "a formula type", Plain, Terms, Texts, "the end of the line" => ActionFn(63);
        assert!(__symbols.len() >= 7);
        let __sym6 = __pop_Variant1(__symbols);
        let __sym5 = __pop_Variant2(__symbols);
        let __sym4 = __pop_Variant2(__symbols);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant0(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym6.2.clone();
        let __nt = super::__action63::<>(builder, __sym0, __sym1, __sym2, __sym3, __sym4, __sym5, __sym6);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (7, 5)
    }
    fn __reduce46<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "PRESET or EVENT", "a key", "a formula type", Plain, Terms, "the end of the line" => ActionFn(64);
        assert!(__symbols.len() >= 6);
        let __sym5 = __pop_Variant1(__symbols);
        let __sym4 = __pop_Variant2(__symbols);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant0(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym5.2.clone();
        let __nt = super::__action64::<>(builder, __sym0, __sym1, __sym2, __sym3, __sym4, __sym5);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (6, 5)
    }
    fn __reduce47<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = Other, "the end of the line" => ActionFn(51);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant1(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action51::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (2, 5)
    }
    fn __reduce48<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = Other, Any+, "the end of the line" => ActionFn(52);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant1(__symbols);
        let __sym1 = __pop_Variant3(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action52::<>(builder, __sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (3, 5)
    }
    fn __reduce49<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Other = "a field" => ActionFn(23);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action23::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 6)
    }
    fn __reduce50<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Other = "a key" => ActionFn(24);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action24::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 6)
    }
    fn __reduce51<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Other = "a derived type" => ActionFn(25);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action25::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 6)
    }
    fn __reduce52<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Other = "a formula type" => ActionFn(26);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action26::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 6)
    }
    fn __reduce53<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Plain = "a field" => ActionFn(16);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action16::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 7)
    }
    fn __reduce54<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Plain = Reserved => ActionFn(17);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action17::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 7)
    }
    fn __reduce55<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Reserved = "CPU" => ActionFn(18);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action18::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 8)
    }
    fn __reduce56<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Reserved = "a component" => ActionFn(19);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action19::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 8)
    }
    fn __reduce57<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Reserved = "PRESET or EVENT" => ActionFn(20);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action20::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 8)
    }
    fn __reduce58<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Reserved = "a derived type" => ActionFn(21);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action21::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 8)
    }
    fn __reduce59<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Reserved = "a formula type" => ActionFn(22);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action22::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 8)
    }
    fn __reduce60<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Terms = "a field" => ActionFn(8);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action8::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (1, 9)
    }
    fn __reduce61<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Terms = Terms, "a field" => ActionFn(9);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action9::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (2, 9)
    }
    fn __reduce62<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Texts = "a key" => ActionFn(10);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action10::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (1, 10)
    }
    fn __reduce63<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Texts = Texts, "a key" => ActionFn(11);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action11::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (2, 10)
    }
    fn __reduce64<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Texts = Texts, Plain => ActionFn(12);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action12::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant2(__nt), __end));
        (2, 10)
    }
    fn __reduce65<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Texts? = Texts => ActionFn(27);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action27::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant4(__nt), __end));
        (1, 11)
    }
    fn __reduce66<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Texts? =  => ActionFn(28);
        let __start = __lookahead_start.cloned().or_else(|| __symbols.last().map(|s| s.2.clone())).unwrap_or_default();
        let __end = __start.clone();
        let __nt = super::__action28::<>(builder, &__start, &__end);
        __symbols.push((__start, __Symbol::Variant4(__nt), __end));
        (0, 11)
    }
}
#[allow(unused_imports)]
pub(crate) use self::__parse__File::FileParser;

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action0<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, __0, _): ((), (), ()),
)
{
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action1<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, __0, _): ((), (), ()),
)
{
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action2<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, __0, _): ((), (), ()),
    (_, __1, _): ((), (), ()),
)
{
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action3<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, keyword, _): ((), Slice, ()),
    (_, fields, _): ((), alloc::vec::Vec<Slice>, ()),
    (_, end, _): ((), End, ()),
)
{
    builder.cpu(keyword, &fields, end)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action4<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, name, _): ((), Slice, ()),
    (_, fields, _): ((), alloc::vec::Vec<Slice>, ()),
    (_, end, _): ((), End, ()),
)
{
    builder.component(name, &fields, end)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action5<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, keyword, _): ((), Slice, ()),
    (_, name, _): ((), Slice, ()),
    (_, kind, _): ((), Slice, ()),
    (_, _, _): ((), (), ()),
    (_, _, _): ((), Option<()>, ()),
    (_, end, _): ((), End, ()),
)
{
    builder.event(Head { keyword, name, kind, formula: None }, end)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action6<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, keyword, _): ((), Slice, ()),
    (_, name, _): ((), Slice, ()),
    (_, kind, _): ((), Slice, ()),
    (_, formula, _): ((), Slice, ()),
    (_, _, _): ((), (), ()),
    (_, _, _): ((), Option<()>, ()),
    (_, end, _): ((), End, ()),
)
{
    builder.event(Head { keyword, name, kind, formula: Some(formula) }, end)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action7<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, first, _): ((), Slice, ()),
    (_, _, _): ((), alloc::vec::Vec<Slice>, ()),
    (_, end, _): ((), End, ()),
)
{
    builder.unknown(first, end)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action8<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, term, _): ((), Slice, ()),
)
{
    builder.term(term)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action9<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, _, _): ((), (), ()),
    (_, term, _): ((), Slice, ()),
)
{
    builder.term(term)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action10<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, key, _): ((), Slice, ()),
)
{
    builder.key(key)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action11<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, _, _): ((), (), ()),
    (_, key, _): ((), Slice, ()),
)
{
    builder.key(key)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action12<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, _, _): ((), (), ()),
    (_, text, _): ((), Slice, ()),
)
{
    builder.text(text)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action13<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, __0, _): ((), Slice, ()),
) -> Slice
{
    __0
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action14<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, __0, _): ((), Slice, ()),
) -> Slice
{
    __0
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action15<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, __0, _): ((), Slice, ()),
) -> Slice
{
    __0
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action16<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, __0, _): ((), Slice, ()),
) -> Slice
{
    __0
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action17<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, __0, _): ((), Slice, ()),
) -> Slice
{
    __0
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action18<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, __0, _): ((), Slice, ()),
) -> Slice
{
    __0
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action19<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, __0, _): ((), Slice, ()),
) -> Slice
{
    __0
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action20<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, __0, _): ((), Slice, ()),
) -> Slice
{
    __0
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action21<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, __0, _): ((), Slice, ()),
) -> Slice
{
    __0
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action22<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, __0, _): ((), Slice, ()),
) -> Slice
{
    __0
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action23<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, __0, _): ((), Slice, ()),
) -> Slice
{
    __0
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action24<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, __0, _): ((), Slice, ()),
) -> Slice
{
    __0
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action25<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, __0, _): ((), Slice, ()),
) -> Slice
{
    __0
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action26<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, __0, _): ((), Slice, ()),
) -> Slice
{
    __0
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action27<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, __0, _): ((), (), ()),
) -> Option<()>
{
    Some(__0)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action28<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __lookbehind: &(),
    __lookahead: &(),
) -> Option<()>
{
    None
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action29<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __lookbehind: &(),
    __lookahead: &(),
) -> alloc::vec::Vec<Slice>
{
    alloc::vec![]
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action30<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, v, _): ((), alloc::vec::Vec<Slice>, ()),
) -> alloc::vec::Vec<Slice>
{
    v
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action31<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __lookbehind: &(),
    __lookahead: &(),
)
{
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action32<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, __0, _): ((), Slice, ()),
) -> alloc::vec::Vec<Slice>
{
    alloc::vec![__0]
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action33<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, v, _): ((), alloc::vec::Vec<Slice>, ()),
    (_, e, _): ((), Slice, ()),
) -> alloc::vec::Vec<Slice>
{
    { let mut v = v; v.push(e); v }
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action34<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __lookbehind: &(),
    __lookahead: &(),
)
{
    let __start0 = __lookbehind.clone();
    let __end0 = __lookahead.clone();
    let __temp0 = __action31(
        builder,
        &__start0,
        &__end0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action1(
        builder,
        __temp0,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action35<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Slice, ()),
) -> alloc::vec::Vec<Slice>
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action13(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action32(
        builder,
        __temp0,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action36<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Slice, ()),
) -> alloc::vec::Vec<Slice>
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action14(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action32(
        builder,
        __temp0,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action37<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Slice, ()),
) -> alloc::vec::Vec<Slice>
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action15(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action32(
        builder,
        __temp0,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action38<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), alloc::vec::Vec<Slice>, ()),
    __1: ((), Slice, ()),
) -> alloc::vec::Vec<Slice>
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action13(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action33(
        builder,
        __0,
        __temp0,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action39<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), alloc::vec::Vec<Slice>, ()),
    __1: ((), Slice, ()),
) -> alloc::vec::Vec<Slice>
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action14(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action33(
        builder,
        __0,
        __temp0,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action40<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), alloc::vec::Vec<Slice>, ()),
    __1: ((), Slice, ()),
) -> alloc::vec::Vec<Slice>
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action15(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action33(
        builder,
        __0,
        __temp0,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action41<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Slice, ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), (), ()),
    __4: ((), Option<()>, ()),
    __5: ((), End, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action13(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action5(
        builder,
        __0,
        __temp0,
        __2,
        __3,
        __4,
        __5,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action42<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Slice, ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), (), ()),
    __4: ((), Option<()>, ()),
    __5: ((), End, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action14(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action5(
        builder,
        __0,
        __temp0,
        __2,
        __3,
        __4,
        __5,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action43<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Slice, ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), (), ()),
    __4: ((), Option<()>, ()),
    __5: ((), End, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action15(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action5(
        builder,
        __0,
        __temp0,
        __2,
        __3,
        __4,
        __5,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action44<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Slice, ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), Slice, ()),
    __4: ((), (), ()),
    __5: ((), Option<()>, ()),
    __6: ((), End, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action13(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action6(
        builder,
        __0,
        __temp0,
        __2,
        __3,
        __4,
        __5,
        __6,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action45<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Slice, ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), Slice, ()),
    __4: ((), (), ()),
    __5: ((), Option<()>, ()),
    __6: ((), End, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action14(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action6(
        builder,
        __0,
        __temp0,
        __2,
        __3,
        __4,
        __5,
        __6,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action46<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Slice, ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), Slice, ()),
    __4: ((), (), ()),
    __5: ((), Option<()>, ()),
    __6: ((), End, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action15(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action6(
        builder,
        __0,
        __temp0,
        __2,
        __3,
        __4,
        __5,
        __6,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action47<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Slice, ()),
    __1: ((), End, ()),
)
{
    let __start0 = __0.2.clone();
    let __end0 = __1.0.clone();
    let __temp0 = __action29(
        builder,
        &__start0,
        &__end0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action3(
        builder,
        __0,
        __temp0,
        __1,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action48<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Slice, ()),
    __1: ((), alloc::vec::Vec<Slice>, ()),
    __2: ((), End, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action30(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action3(
        builder,
        __0,
        __temp0,
        __2,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action49<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Slice, ()),
    __1: ((), End, ()),
)
{
    let __start0 = __0.2.clone();
    let __end0 = __1.0.clone();
    let __temp0 = __action29(
        builder,
        &__start0,
        &__end0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action4(
        builder,
        __0,
        __temp0,
        __1,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action50<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Slice, ()),
    __1: ((), alloc::vec::Vec<Slice>, ()),
    __2: ((), End, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action30(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action4(
        builder,
        __0,
        __temp0,
        __2,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action51<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Slice, ()),
    __1: ((), End, ()),
)
{
    let __start0 = __0.2.clone();
    let __end0 = __1.0.clone();
    let __temp0 = __action29(
        builder,
        &__start0,
        &__end0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action7(
        builder,
        __0,
        __temp0,
        __1,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action52<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Slice, ()),
    __1: ((), alloc::vec::Vec<Slice>, ()),
    __2: ((), End, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action30(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action7(
        builder,
        __0,
        __temp0,
        __2,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action53<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Slice, ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), (), ()),
    __4: ((), (), ()),
    __5: ((), End, ()),
)
{
    let __start0 = __4.0.clone();
    let __end0 = __4.2.clone();
    let __temp0 = __action27(
        builder,
        __4,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action41(
        builder,
        __0,
        __1,
        __2,
        __3,
        __temp0,
        __5,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action54<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Slice, ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), (), ()),
    __4: ((), End, ()),
)
{
    let __start0 = __3.2.clone();
    let __end0 = __4.0.clone();
    let __temp0 = __action28(
        builder,
        &__start0,
        &__end0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action41(
        builder,
        __0,
        __1,
        __2,
        __3,
        __temp0,
        __4,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action55<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Slice, ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), (), ()),
    __4: ((), (), ()),
    __5: ((), End, ()),
)
{
    let __start0 = __4.0.clone();
    let __end0 = __4.2.clone();
    let __temp0 = __action27(
        builder,
        __4,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action42(
        builder,
        __0,
        __1,
        __2,
        __3,
        __temp0,
        __5,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action56<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Slice, ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), (), ()),
    __4: ((), End, ()),
)
{
    let __start0 = __3.2.clone();
    let __end0 = __4.0.clone();
    let __temp0 = __action28(
        builder,
        &__start0,
        &__end0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action42(
        builder,
        __0,
        __1,
        __2,
        __3,
        __temp0,
        __4,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action57<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Slice, ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), (), ()),
    __4: ((), (), ()),
    __5: ((), End, ()),
)
{
    let __start0 = __4.0.clone();
    let __end0 = __4.2.clone();
    let __temp0 = __action27(
        builder,
        __4,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action43(
        builder,
        __0,
        __1,
        __2,
        __3,
        __temp0,
        __5,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action58<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Slice, ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), (), ()),
    __4: ((), End, ()),
)
{
    let __start0 = __3.2.clone();
    let __end0 = __4.0.clone();
    let __temp0 = __action28(
        builder,
        &__start0,
        &__end0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action43(
        builder,
        __0,
        __1,
        __2,
        __3,
        __temp0,
        __4,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action59<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Slice, ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), Slice, ()),
    __4: ((), (), ()),
    __5: ((), (), ()),
    __6: ((), End, ()),
)
{
    let __start0 = __5.0.clone();
    let __end0 = __5.2.clone();
    let __temp0 = __action27(
        builder,
        __5,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action44(
        builder,
        __0,
        __1,
        __2,
        __3,
        __4,
        __temp0,
        __6,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action60<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Slice, ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), Slice, ()),
    __4: ((), (), ()),
    __5: ((), End, ()),
)
{
    let __start0 = __4.2.clone();
    let __end0 = __5.0.clone();
    let __temp0 = __action28(
        builder,
        &__start0,
        &__end0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action44(
        builder,
        __0,
        __1,
        __2,
        __3,
        __4,
        __temp0,
        __5,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action61<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Slice, ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), Slice, ()),
    __4: ((), (), ()),
    __5: ((), (), ()),
    __6: ((), End, ()),
)
{
    let __start0 = __5.0.clone();
    let __end0 = __5.2.clone();
    let __temp0 = __action27(
        builder,
        __5,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action45(
        builder,
        __0,
        __1,
        __2,
        __3,
        __4,
        __temp0,
        __6,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action62<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Slice, ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), Slice, ()),
    __4: ((), (), ()),
    __5: ((), End, ()),
)
{
    let __start0 = __4.2.clone();
    let __end0 = __5.0.clone();
    let __temp0 = __action28(
        builder,
        &__start0,
        &__end0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action45(
        builder,
        __0,
        __1,
        __2,
        __3,
        __4,
        __temp0,
        __5,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action63<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Slice, ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), Slice, ()),
    __4: ((), (), ()),
    __5: ((), (), ()),
    __6: ((), End, ()),
)
{
    let __start0 = __5.0.clone();
    let __end0 = __5.2.clone();
    let __temp0 = __action27(
        builder,
        __5,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action46(
        builder,
        __0,
        __1,
        __2,
        __3,
        __4,
        __temp0,
        __6,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action64<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Slice, ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), Slice, ()),
    __4: ((), (), ()),
    __5: ((), End, ()),
)
{
    let __start0 = __4.2.clone();
    let __end0 = __5.0.clone();
    let __temp0 = __action28(
        builder,
        &__start0,
        &__end0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action46(
        builder,
        __0,
        __1,
        __2,
        __3,
        __4,
        __temp0,
        __5,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action65<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (), ()),
    __1: ((), Slice, ()),
    __2: ((), End, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __2.2.clone();
    let __temp0 = __action47(
        builder,
        __1,
        __2,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action2(
        builder,
        __0,
        __temp0,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action66<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (), ()),
    __1: ((), Slice, ()),
    __2: ((), alloc::vec::Vec<Slice>, ()),
    __3: ((), End, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __3.2.clone();
    let __temp0 = __action48(
        builder,
        __1,
        __2,
        __3,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action2(
        builder,
        __0,
        __temp0,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action67<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (), ()),
    __1: ((), Slice, ()),
    __2: ((), End, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __2.2.clone();
    let __temp0 = __action49(
        builder,
        __1,
        __2,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action2(
        builder,
        __0,
        __temp0,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action68<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (), ()),
    __1: ((), Slice, ()),
    __2: ((), alloc::vec::Vec<Slice>, ()),
    __3: ((), End, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __3.2.clone();
    let __temp0 = __action50(
        builder,
        __1,
        __2,
        __3,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action2(
        builder,
        __0,
        __temp0,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action69<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (), ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), Slice, ()),
    __4: ((), (), ()),
    __5: ((), (), ()),
    __6: ((), End, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __6.2.clone();
    let __temp0 = __action53(
        builder,
        __1,
        __2,
        __3,
        __4,
        __5,
        __6,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action2(
        builder,
        __0,
        __temp0,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action70<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (), ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), Slice, ()),
    __4: ((), (), ()),
    __5: ((), End, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __5.2.clone();
    let __temp0 = __action54(
        builder,
        __1,
        __2,
        __3,
        __4,
        __5,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action2(
        builder,
        __0,
        __temp0,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action71<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (), ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), Slice, ()),
    __4: ((), (), ()),
    __5: ((), (), ()),
    __6: ((), End, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __6.2.clone();
    let __temp0 = __action55(
        builder,
        __1,
        __2,
        __3,
        __4,
        __5,
        __6,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action2(
        builder,
        __0,
        __temp0,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action72<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (), ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), Slice, ()),
    __4: ((), (), ()),
    __5: ((), End, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __5.2.clone();
    let __temp0 = __action56(
        builder,
        __1,
        __2,
        __3,
        __4,
        __5,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action2(
        builder,
        __0,
        __temp0,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action73<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (), ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), Slice, ()),
    __4: ((), (), ()),
    __5: ((), (), ()),
    __6: ((), End, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __6.2.clone();
    let __temp0 = __action57(
        builder,
        __1,
        __2,
        __3,
        __4,
        __5,
        __6,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action2(
        builder,
        __0,
        __temp0,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action74<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (), ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), Slice, ()),
    __4: ((), (), ()),
    __5: ((), End, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __5.2.clone();
    let __temp0 = __action58(
        builder,
        __1,
        __2,
        __3,
        __4,
        __5,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action2(
        builder,
        __0,
        __temp0,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action75<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (), ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), Slice, ()),
    __4: ((), Slice, ()),
    __5: ((), (), ()),
    __6: ((), (), ()),
    __7: ((), End, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __7.2.clone();
    let __temp0 = __action59(
        builder,
        __1,
        __2,
        __3,
        __4,
        __5,
        __6,
        __7,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action2(
        builder,
        __0,
        __temp0,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action76<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (), ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), Slice, ()),
    __4: ((), Slice, ()),
    __5: ((), (), ()),
    __6: ((), End, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __6.2.clone();
    let __temp0 = __action60(
        builder,
        __1,
        __2,
        __3,
        __4,
        __5,
        __6,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action2(
        builder,
        __0,
        __temp0,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action77<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (), ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), Slice, ()),
    __4: ((), Slice, ()),
    __5: ((), (), ()),
    __6: ((), (), ()),
    __7: ((), End, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __7.2.clone();
    let __temp0 = __action61(
        builder,
        __1,
        __2,
        __3,
        __4,
        __5,
        __6,
        __7,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action2(
        builder,
        __0,
        __temp0,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action78<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (), ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), Slice, ()),
    __4: ((), Slice, ()),
    __5: ((), (), ()),
    __6: ((), End, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __6.2.clone();
    let __temp0 = __action62(
        builder,
        __1,
        __2,
        __3,
        __4,
        __5,
        __6,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action2(
        builder,
        __0,
        __temp0,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action79<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (), ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), Slice, ()),
    __4: ((), Slice, ()),
    __5: ((), (), ()),
    __6: ((), (), ()),
    __7: ((), End, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __7.2.clone();
    let __temp0 = __action63(
        builder,
        __1,
        __2,
        __3,
        __4,
        __5,
        __6,
        __7,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action2(
        builder,
        __0,
        __temp0,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action80<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (), ()),
    __1: ((), Slice, ()),
    __2: ((), Slice, ()),
    __3: ((), Slice, ()),
    __4: ((), Slice, ()),
    __5: ((), (), ()),
    __6: ((), End, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __6.2.clone();
    let __temp0 = __action64(
        builder,
        __1,
        __2,
        __3,
        __4,
        __5,
        __6,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action2(
        builder,
        __0,
        __temp0,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action81<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (), ()),
    __1: ((), Slice, ()),
    __2: ((), End, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __2.2.clone();
    let __temp0 = __action51(
        builder,
        __1,
        __2,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action2(
        builder,
        __0,
        __temp0,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action82<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (), ()),
    __1: ((), Slice, ()),
    __2: ((), alloc::vec::Vec<Slice>, ()),
    __3: ((), End, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __3.2.clone();
    let __temp0 = __action52(
        builder,
        __1,
        __2,
        __3,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action2(
        builder,
        __0,
        __temp0,
    )
}

#[allow(clippy::type_complexity, dead_code)]
pub(crate) trait __ToTriple<'s, 'b, >
{
    fn to_triple(self) -> Result<((),Token,()), __lalrpop_util::ParseError<(), Token, std::convert::Infallible>>;
}

impl<'s, 'b, > __ToTriple<'s, 'b, > for Token
{
    fn to_triple(self) -> Result<((),Token,()), __lalrpop_util::ParseError<(), Token, std::convert::Infallible>> {
        Ok(((), self, ()))
    }
}
impl<'s, 'b, > __ToTriple<'s, 'b, > for Result<Token,std::convert::Infallible>
{
    fn to_triple(self) -> Result<((),Token,()), __lalrpop_util::ParseError<(), Token, std::convert::Infallible>> {
        match self {
            Ok(v) => Ok(((), v, ())),
            Err(error) => Err(__lalrpop_util::ParseError::User { error }),
        }
    }
}
