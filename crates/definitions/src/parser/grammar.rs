// auto-generated: "lalrpop 0.23.2"
// sha3: 4dfd89bd02f7944849b5ad5003061117dda1d7acac80be29c71d8ca9125e1aa8
// features: 
use crate::ast::{DerivedType, Field, Key, Keyword};
use crate::parser::builder::Builder;
use crate::parser::lexer::{EndOfLine, Token};
#[allow(unused_extern_crates)]
extern crate lalrpop_util as __lalrpop_util;
#[allow(unused_imports)]
use self::__lalrpop_util::state_machine as __state_machine;
#[allow(unused_extern_crates)]
extern crate alloc;

#[rustfmt::skip]
#[allow(explicit_outlives_requirements, non_snake_case, non_camel_case_types, unused_mut, unused_variables, unused_imports, unused_parens, clippy::needless_lifetimes, clippy::type_complexity, clippy::needless_return, clippy::too_many_arguments, clippy::match_single_binding, clippy::clone_on_copy, clippy::unit_arg)]
mod __parse__File {

    use crate::ast::{DerivedType, Field, Key, Keyword};
    use crate::parser::builder::Builder;
    use crate::parser::lexer::{EndOfLine, Token};
    #[allow(unused_extern_crates)]
    extern crate lalrpop_util as __lalrpop_util;
    #[allow(unused_imports)]
    use self::__lalrpop_util::state_machine as __state_machine;
    #[allow(unused_extern_crates)]
    extern crate alloc;
    use super::__ToTriple;
    #[allow(dead_code)]
    pub(crate) enum __Symbol<'s>
     {
        Variant0(Field<'s>),
        Variant1((Keyword, Field<'s>)),
        Variant2((DerivedType, Field<'s>)),
        Variant3((Key, Field<'s>)),
        Variant4(EndOfLine),
        Variant5(()),
        Variant6(alloc::vec::Vec<Field<'s>>),
        Variant7(Option<Field<'s>>),
        Variant8(Option<()>),
    }
    const __ACTION: &[i16] = &[
        // State 0
        -33, -33, -33, -33, -33, -33, -33, 0, 0,
        // State 1
        4, 12, 11, 5, 7, 8, 6, 0, 0,
        // State 2
        0, 0, 0, 0, 0, 0, 13, 0, 0,
        // State 3
        15, 17, 16, 18, 20, 21, 19, 0, 22,
        // State 4
        15, 17, 16, 18, 20, 21, 19, 0, 39,
        // State 5
        15, 17, 16, 18, 20, 21, 19, 0, 41,
        // State 6
        15, 17, 16, 18, 20, 21, 19, 0, 43,
        // State 7
        15, 17, 16, 18, 20, 21, 19, 0, 45,
        // State 8
        0, 0, 0, 0, 0, 48, 47, 0, 49,
        // State 9
        -34, -34, -34, -34, -34, -34, -34, 0, 0,
        // State 10
        23, 25, 24, 26, 28, 29, 27, 0, 0,
        // State 11
        30, 32, 31, 33, 35, 36, 34, 0, 37,
        // State 12
        0, 0, 0, 0, 0, -114, -114, 0, -114,
        // State 13
        50, 52, 51, 53, 55, 56, 54, 0, 57,
        // State 14
        -14, -14, -14, -14, -14, -14, -14, 0, -14,
        // State 15
        -16, -16, -16, -16, -16, -16, -16, 0, -16,
        // State 16
        -15, -15, -15, -15, -15, -15, -15, 0, -15,
        // State 17
        -12, -12, -12, -12, -12, -12, -12, 0, -12,
        // State 18
        -11, -11, -11, -11, -11, -11, -11, 0, -11,
        // State 19
        -13, -13, -13, -13, -13, -13, -13, 0, -13,
        // State 20
        -17, -17, -17, -17, -17, -17, -17, 0, -17,
        // State 21
        -84, -84, -84, -84, -84, -84, -84, 0, 0,
        // State 22
        0, 0, 0, 58, 59, 0, 0, 0, 0,
        // State 23
        0, 0, 0, 60, 61, 0, 0, 0, 0,
        // State 24
        0, 0, 0, 62, 63, 0, 0, 0, 0,
        // State 25
        0, 0, 0, 64, 65, 0, 0, 0, 0,
        // State 26
        0, 0, 0, 66, 67, 0, 0, 0, 0,
        // State 27
        0, 0, 0, 68, 69, 0, 0, 0, 0,
        // State 28
        0, 0, 0, 70, 71, 0, 0, 0, 0,
        // State 29
        0, 0, 0, 0, 0, 0, 0, 0, 72,
        // State 30
        0, 0, 0, 0, 0, 0, 0, 0, 73,
        // State 31
        0, 0, 0, 0, 0, 0, 0, 0, 74,
        // State 32
        0, 0, 0, 0, 0, 0, 0, 0, 75,
        // State 33
        0, 0, 0, 0, 0, 0, 0, 0, 76,
        // State 34
        0, 0, 0, 0, 0, 0, 0, 0, 77,
        // State 35
        0, 0, 0, 0, 0, 0, 0, 0, 78,
        // State 36
        -93, -93, -93, -93, -93, -93, -93, 0, 0,
        // State 37
        50, 52, 51, 53, 55, 56, 54, 0, 79,
        // State 38
        -98, -98, -98, -98, -98, -98, -98, 0, 0,
        // State 39
        50, 52, 51, 53, 55, 56, 54, 0, 80,
        // State 40
        -96, -96, -96, -96, -96, -96, -96, 0, 0,
        // State 41
        50, 52, 51, 53, 55, 56, 54, 0, 81,
        // State 42
        -99, -99, -99, -99, -99, -99, -99, 0, 0,
        // State 43
        50, 52, 51, 53, 55, 56, 54, 0, 82,
        // State 44
        -97, -97, -97, -97, -97, -97, -97, 0, 0,
        // State 45
        83, 85, 84, 86, 88, 89, 87, 0, 90,
        // State 46
        0, 0, 0, 0, 0, -115, -115, 0, -115,
        // State 47
        -116, -116, -116, -116, -116, -116, -116, 0, -116,
        // State 48
        -95, -95, -95, -95, -95, -95, -95, 0, 0,
        // State 49
        -21, -21, -21, -21, -21, -21, -21, 0, -21,
        // State 50
        -23, -23, -23, -23, -23, -23, -23, 0, -23,
        // State 51
        -22, -22, -22, -22, -22, -22, -22, 0, -22,
        // State 52
        -19, -19, -19, -19, -19, -19, -19, 0, -19,
        // State 53
        -18, -18, -18, -18, -18, -18, -18, 0, -18,
        // State 54
        -20, -20, -20, -20, -20, -20, -20, 0, -20,
        // State 55
        -24, -24, -24, -24, -24, -24, -24, 0, -24,
        // State 56
        -85, -85, -85, -85, -85, -85, -85, 0, 0,
        // State 57
        0, 0, 0, 0, 0, 0, -38, 0, 0,
        // State 58
        91, 93, 92, 94, 96, 0, 95, 0, 0,
        // State 59
        0, 0, 0, 0, 0, 0, -40, 0, 0,
        // State 60
        97, 99, 98, 100, 102, 0, 101, 0, 0,
        // State 61
        0, 0, 0, 0, 0, 0, -39, 0, 0,
        // State 62
        103, 105, 104, 106, 108, 0, 107, 0, 0,
        // State 63
        0, 0, 0, 0, 0, 0, -36, 0, 0,
        // State 64
        109, 111, 110, 112, 114, 0, 113, 0, 0,
        // State 65
        0, 0, 0, 0, 0, 0, -35, 0, 0,
        // State 66
        115, 117, 116, 118, 120, 0, 119, 0, 0,
        // State 67
        0, 0, 0, 0, 0, 0, -37, 0, 0,
        // State 68
        121, 123, 122, 124, 126, 0, 125, 0, 0,
        // State 69
        0, 0, 0, 0, 0, 0, -41, 0, 0,
        // State 70
        127, 129, 128, 130, 132, 0, 131, 0, 0,
        // State 71
        -89, -89, -89, -89, -89, -89, -89, 0, 0,
        // State 72
        -91, -91, -91, -91, -91, -91, -91, 0, 0,
        // State 73
        -90, -90, -90, -90, -90, -90, -90, 0, 0,
        // State 74
        -87, -87, -87, -87, -87, -87, -87, 0, 0,
        // State 75
        -86, -86, -86, -86, -86, -86, -86, 0, 0,
        // State 76
        -88, -88, -88, -88, -88, -88, -88, 0, 0,
        // State 77
        -92, -92, -92, -92, -92, -92, -92, 0, 0,
        // State 78
        -102, -102, -102, -102, -102, -102, -102, 0, 0,
        // State 79
        -100, -100, -100, -100, -100, -100, -100, 0, 0,
        // State 80
        -103, -103, -103, -103, -103, -103, -103, 0, 0,
        // State 81
        -101, -101, -101, -101, -101, -101, -101, 0, 0,
        // State 82
        -121, -121, -121, -121, -121, -121, -121, 0, -121,
        // State 83
        -123, -123, -123, -123, -123, -123, -123, 0, -123,
        // State 84
        -122, -122, -122, -122, -122, -122, -122, 0, -122,
        // State 85
        -119, -119, -119, -119, -119, -119, -119, 0, -119,
        // State 86
        -118, -118, -118, -118, -118, -118, -118, 0, -118,
        // State 87
        -120, -120, -120, -120, -120, -120, -120, 0, -120,
        // State 88
        -117, -117, -117, -117, -117, -117, -117, 0, -117,
        // State 89
        -94, -94, -94, -94, -94, -94, -94, 0, 0,
        // State 90
        0, 0, 0, 0, 0, 0, -66, 0, 0,
        // State 91
        0, 0, 0, 0, 0, 0, -80, 0, 0,
        // State 92
        0, 0, 0, 0, 0, 0, -73, 0, 0,
        // State 93
        0, 0, 0, 0, 0, 0, -52, 0, 0,
        // State 94
        0, 0, 0, 0, 0, 0, -45, 0, 0,
        // State 95
        0, 0, 0, 0, 0, 0, -59, 0, 0,
        // State 96
        0, 0, 0, 0, 0, 0, -68, 0, 0,
        // State 97
        0, 0, 0, 0, 0, 0, -82, 0, 0,
        // State 98
        0, 0, 0, 0, 0, 0, -75, 0, 0,
        // State 99
        0, 0, 0, 0, 0, 0, -54, 0, 0,
        // State 100
        0, 0, 0, 0, 0, 0, -47, 0, 0,
        // State 101
        0, 0, 0, 0, 0, 0, -61, 0, 0,
        // State 102
        0, 0, 0, 0, 0, 0, -67, 0, 0,
        // State 103
        0, 0, 0, 0, 0, 0, -81, 0, 0,
        // State 104
        0, 0, 0, 0, 0, 0, -74, 0, 0,
        // State 105
        0, 0, 0, 0, 0, 0, -53, 0, 0,
        // State 106
        0, 0, 0, 0, 0, 0, -46, 0, 0,
        // State 107
        0, 0, 0, 0, 0, 0, -60, 0, 0,
        // State 108
        0, 0, 0, 0, 0, 0, -64, 0, 0,
        // State 109
        0, 0, 0, 0, 0, 0, -78, 0, 0,
        // State 110
        0, 0, 0, 0, 0, 0, -71, 0, 0,
        // State 111
        0, 0, 0, 0, 0, 0, -50, 0, 0,
        // State 112
        0, 0, 0, 0, 0, 0, -43, 0, 0,
        // State 113
        0, 0, 0, 0, 0, 0, -57, 0, 0,
        // State 114
        0, 0, 0, 0, 0, 0, -63, 0, 0,
        // State 115
        0, 0, 0, 0, 0, 0, -77, 0, 0,
        // State 116
        0, 0, 0, 0, 0, 0, -70, 0, 0,
        // State 117
        0, 0, 0, 0, 0, 0, -49, 0, 0,
        // State 118
        0, 0, 0, 0, 0, 0, -42, 0, 0,
        // State 119
        0, 0, 0, 0, 0, 0, -56, 0, 0,
        // State 120
        0, 0, 0, 0, 0, 0, -65, 0, 0,
        // State 121
        0, 0, 0, 0, 0, 0, -79, 0, 0,
        // State 122
        0, 0, 0, 0, 0, 0, -72, 0, 0,
        // State 123
        0, 0, 0, 0, 0, 0, -51, 0, 0,
        // State 124
        0, 0, 0, 0, 0, 0, -44, 0, 0,
        // State 125
        0, 0, 0, 0, 0, 0, -58, 0, 0,
        // State 126
        0, 0, 0, 0, 0, 0, -69, 0, 0,
        // State 127
        0, 0, 0, 0, 0, 0, -83, 0, 0,
        // State 128
        0, 0, 0, 0, 0, 0, -76, 0, 0,
        // State 129
        0, 0, 0, 0, 0, 0, -55, 0, 0,
        // State 130
        0, 0, 0, 0, 0, 0, -48, 0, 0,
        // State 131
        0, 0, 0, 0, 0, 0, -62, 0, 0,
    ];
    fn __action(state: i16, integer: usize) -> i16 {
        __ACTION[(state as usize) * 9 + integer]
    }
    const __EOF_ACTION: &[i16] = &[
        // State 0
        -33,
        // State 1
        -126,
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
        -34,
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
        -84,
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
        -93,
        // State 37
        0,
        // State 38
        -98,
        // State 39
        0,
        // State 40
        -96,
        // State 41
        0,
        // State 42
        -99,
        // State 43
        0,
        // State 44
        -97,
        // State 45
        0,
        // State 46
        0,
        // State 47
        0,
        // State 48
        -95,
        // State 49
        0,
        // State 50
        0,
        // State 51
        0,
        // State 52
        0,
        // State 53
        0,
        // State 54
        0,
        // State 55
        0,
        // State 56
        -85,
        // State 57
        0,
        // State 58
        0,
        // State 59
        0,
        // State 60
        0,
        // State 61
        0,
        // State 62
        0,
        // State 63
        0,
        // State 64
        0,
        // State 65
        0,
        // State 66
        0,
        // State 67
        0,
        // State 68
        0,
        // State 69
        0,
        // State 70
        0,
        // State 71
        -89,
        // State 72
        -91,
        // State 73
        -90,
        // State 74
        -87,
        // State 75
        -86,
        // State 76
        -88,
        // State 77
        -92,
        // State 78
        -102,
        // State 79
        -100,
        // State 80
        -103,
        // State 81
        -101,
        // State 82
        0,
        // State 83
        0,
        // State 84
        0,
        // State 85
        0,
        // State 86
        0,
        // State 87
        0,
        // State 88
        0,
        // State 89
        -94,
        // State 90
        0,
        // State 91
        0,
        // State 92
        0,
        // State 93
        0,
        // State 94
        0,
        // State 95
        0,
        // State 96
        0,
        // State 97
        0,
        // State 98
        0,
        // State 99
        0,
        // State 100
        0,
        // State 101
        0,
        // State 102
        0,
        // State 103
        0,
        // State 104
        0,
        // State 105
        0,
        // State 106
        0,
        // State 107
        0,
        // State 108
        0,
        // State 109
        0,
        // State 110
        0,
        // State 111
        0,
        // State 112
        0,
        // State 113
        0,
        // State 114
        0,
        // State 115
        0,
        // State 116
        0,
        // State 117
        0,
        // State 118
        0,
        // State 119
        0,
        // State 120
        0,
        // State 121
        0,
        // State 122
        0,
        // State 123
        0,
        // State 124
        0,
        // State 125
        0,
        // State 126
        0,
        // State 127
        0,
        // State 128
        0,
        // State 129
        0,
        // State 130
        0,
        // State 131
        0,
    ];
    fn __goto(state: i16, nt: usize) -> i16 {
        match nt {
            3 => match state {
                4 => 37,
                5 => 39,
                6 => 41,
                7 => 43,
                _ => 13,
            },
            5 => 1,
            6 => 2,
            7 => 9,
            10 => 8,
            11 => 45,
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
        r###""a field without comma""###,
        r###""the end of the line""###,
    ];
    fn __expected_tokens(__state: i16) -> alloc::vec::Vec<alloc::string::String> {
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
        __states: &[i16],
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
        type Token = Token<'s>;
        type TokenIndex = usize;
        type Symbol = __Symbol<'s>;
        type Success = ();
        type StateIndex = i16;
        type Action = i16;
        type ReduceIndex = i16;
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
        fn action(&self, state: i16, integer: usize) -> i16 {
            __action(state, integer)
        }

        #[inline]
        fn error_action(&self, state: i16) -> i16 {
            __action(state, 9 - 1)
        }

        #[inline]
        fn eof_action(&self, state: i16) -> i16 {
            __EOF_ACTION[state as usize]
        }

        #[inline]
        fn goto(&self, state: i16, nt: usize) -> i16 {
            __goto(state, nt)
        }

        fn token_to_symbol(&self, token_index: usize, token: Self::Token) -> Self::Symbol {
            __token_to_symbol(token_index, token, core::marker::PhantomData::<(&(), &())>)
        }

        fn expected_tokens(&self, state: i16) -> alloc::vec::Vec<alloc::string::String> {
            __expected_tokens(state)
        }

        fn expected_tokens_from_states(&self, states: &[i16]) -> alloc::vec::Vec<alloc::string::String> {
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
            action: i16,
            start_location: Option<&Self::Location>,
            states: &mut alloc::vec::Vec<i16>,
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

        fn simulate_reduce(&self, action: i16) -> __state_machine::SimulatedReduce<Self> {
            __simulate_reduce(action, core::marker::PhantomData::<(&(), &())>)
        }
    }
    fn __token_to_integer<
        's,
        'b,
    >(
        __token: &Token<'s>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> Option<usize>
    {
        #[warn(unused_variables)]
        match __token {
            Token::Cpu(_) if true => Some(0),
            Token::Component(_) if true => Some(1),
            Token::Keyword(_, _) if true => Some(2),
            Token::Type(_, _) if true => Some(3),
            Token::FormulaType(_, _) if true => Some(4),
            Token::Key(_, _) if true => Some(5),
            Token::Word(_) if true => Some(6),
            Token::Stray(_) if true => Some(7),
            Token::EndOfLine(_) if true => Some(8),
            _ => None,
        }
    }
    fn __token_to_symbol<
        's,
        'b,
    >(
        __token_index: usize,
        __token: Token<'s>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> __Symbol<'s>
    {
        #[allow(clippy::manual_range_patterns)]match __token_index {
            0 | 1 | 6 | 7 => match __token {
                Token::Cpu(__tok0) | Token::Component(__tok0) | Token::Word(__tok0) | Token::Stray(__tok0) if true => __Symbol::Variant0(__tok0),
                _ => unreachable!(),
            },
            2 => match __token {
                Token::Keyword(__tok0, __tok1) if true => __Symbol::Variant1((__tok0, __tok1)),
                _ => unreachable!(),
            },
            3 | 4 => match __token {
                Token::Type(__tok0, __tok1) | Token::FormulaType(__tok0, __tok1) if true => __Symbol::Variant2((__tok0, __tok1)),
                _ => unreachable!(),
            },
            5 => match __token {
                Token::Key(__tok0, __tok1) if true => __Symbol::Variant3((__tok0, __tok1)),
                _ => unreachable!(),
            },
            8 => match __token {
                Token::EndOfLine(__tok0) if true => __Symbol::Variant4(__tok0),
                _ => unreachable!(),
            },
            _ => unreachable!(),
        }
    }
    fn __simulate_reduce<
        's,
        'b,
    >(
        __reduce_index: i16,
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
                    states_to_pop: 1,
                    nonterminal_produced: 1,
                }
            }
            5 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 1,
                }
            }
            6 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 1,
                }
            }
            7 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 1,
                }
            }
            8 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 0,
                    nonterminal_produced: 2,
                }
            }
            9 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 2,
                }
            }
            10 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 3,
                }
            }
            11 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 3,
                }
            }
            12 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 3,
                }
            }
            13 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 3,
                }
            }
            14 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 3,
                }
            }
            15 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 3,
                }
            }
            16 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 3,
                }
            }
            17 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 3,
                }
            }
            18 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 3,
                }
            }
            19 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 3,
                }
            }
            20 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 3,
                }
            }
            21 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 3,
                }
            }
            22 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 3,
                }
            }
            23 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 3,
                }
            }
            24 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 4,
                }
            }
            25 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 4,
                }
            }
            26 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 4,
                }
            }
            27 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 4,
                }
            }
            28 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 4,
                }
            }
            29 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 4,
                }
            }
            30 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 4,
                }
            }
            31 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 0,
                    nonterminal_produced: 4,
                }
            }
            32 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 0,
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
                    nonterminal_produced: 6,
                }
            }
            35 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 3,
                    nonterminal_produced: 6,
                }
            }
            36 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 3,
                    nonterminal_produced: 6,
                }
            }
            37 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 3,
                    nonterminal_produced: 6,
                }
            }
            38 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 3,
                    nonterminal_produced: 6,
                }
            }
            39 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 3,
                    nonterminal_produced: 6,
                }
            }
            40 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 3,
                    nonterminal_produced: 6,
                }
            }
            41 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            42 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            43 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            44 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            45 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            46 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            47 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            48 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            49 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            50 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            51 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            52 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            53 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            54 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            55 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            56 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            57 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            58 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            59 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            60 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            61 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            62 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            63 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            64 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            65 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            66 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            67 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            68 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            69 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            70 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            71 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            72 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            73 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            74 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            75 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            76 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            77 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            78 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            79 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            80 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            81 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            82 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 6,
                }
            }
            83 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 7,
                }
            }
            84 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 3,
                    nonterminal_produced: 7,
                }
            }
            85 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 3,
                    nonterminal_produced: 7,
                }
            }
            86 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 3,
                    nonterminal_produced: 7,
                }
            }
            87 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 3,
                    nonterminal_produced: 7,
                }
            }
            88 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 3,
                    nonterminal_produced: 7,
                }
            }
            89 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 3,
                    nonterminal_produced: 7,
                }
            }
            90 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 3,
                    nonterminal_produced: 7,
                }
            }
            91 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 3,
                    nonterminal_produced: 7,
                }
            }
            92 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 7,
                }
            }
            93 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 4,
                    nonterminal_produced: 7,
                }
            }
            94 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 3,
                    nonterminal_produced: 7,
                }
            }
            95 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 7,
                }
            }
            96 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 7,
                }
            }
            97 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 7,
                }
            }
            98 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 7,
                }
            }
            99 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 3,
                    nonterminal_produced: 7,
                }
            }
            100 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 3,
                    nonterminal_produced: 7,
                }
            }
            101 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 3,
                    nonterminal_produced: 7,
                }
            }
            102 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 3,
                    nonterminal_produced: 7,
                }
            }
            103 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 8,
                }
            }
            104 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 8,
                }
            }
            105 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 8,
                }
            }
            106 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 8,
                }
            }
            107 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 9,
                }
            }
            108 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 9,
                }
            }
            109 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 9,
                }
            }
            110 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 9,
                }
            }
            111 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 9,
                }
            }
            112 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 9,
                }
            }
            113 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 10,
                }
            }
            114 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 10,
                }
            }
            115 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 11,
                }
            }
            116 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 11,
                }
            }
            117 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 11,
                }
            }
            118 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 11,
                }
            }
            119 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 11,
                }
            }
            120 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 11,
                }
            }
            121 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 11,
                }
            }
            122 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 2,
                    nonterminal_produced: 11,
                }
            }
            123 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 1,
                    nonterminal_produced: 12,
                }
            }
            124 => {
                __state_machine::SimulatedReduce::Reduce {
                    states_to_pop: 0,
                    nonterminal_produced: 12,
                }
            }
            125 => __state_machine::SimulatedReduce::Accept,
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
        ) -> Result<(), __lalrpop_util::ParseError<(), Token<'s>, std::convert::Infallible>>
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
        __error_state: Option<i16>,
        __states: &[i16],
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
        __action: i16,
        __lookahead_start: Option<&()>,
        __states: &mut alloc::vec::Vec<i16>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> Option<Result<(),__lalrpop_util::ParseError<(), Token<'s>, std::convert::Infallible>>>
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
                __reduce67(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            68 => {
                __reduce68(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            69 => {
                __reduce69(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            70 => {
                __reduce70(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            71 => {
                __reduce71(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            72 => {
                __reduce72(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            73 => {
                __reduce73(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            74 => {
                __reduce74(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            75 => {
                __reduce75(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            76 => {
                __reduce76(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            77 => {
                __reduce77(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            78 => {
                __reduce78(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            79 => {
                __reduce79(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            80 => {
                __reduce80(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            81 => {
                __reduce81(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            82 => {
                __reduce82(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            83 => {
                __reduce83(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            84 => {
                __reduce84(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            85 => {
                __reduce85(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            86 => {
                __reduce86(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            87 => {
                __reduce87(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            88 => {
                __reduce88(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            89 => {
                __reduce89(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            90 => {
                __reduce90(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            91 => {
                __reduce91(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            92 => {
                __reduce92(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            93 => {
                __reduce93(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            94 => {
                __reduce94(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            95 => {
                __reduce95(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            96 => {
                __reduce96(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            97 => {
                __reduce97(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            98 => {
                __reduce98(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            99 => {
                __reduce99(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            100 => {
                __reduce100(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            101 => {
                __reduce101(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            102 => {
                __reduce102(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            103 => {
                __reduce103(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            104 => {
                __reduce104(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            105 => {
                __reduce105(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            106 => {
                __reduce106(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            107 => {
                __reduce107(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            108 => {
                __reduce108(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            109 => {
                __reduce109(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            110 => {
                __reduce110(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            111 => {
                __reduce111(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            112 => {
                __reduce112(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            113 => {
                __reduce113(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            114 => {
                __reduce114(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            115 => {
                __reduce115(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            116 => {
                __reduce116(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            117 => {
                __reduce117(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            118 => {
                __reduce118(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            119 => {
                __reduce119(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            120 => {
                __reduce120(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            121 => {
                __reduce121(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            122 => {
                __reduce122(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            123 => {
                __reduce123(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            124 => {
                __reduce124(builder, __lookahead_start, __symbols, core::marker::PhantomData::<(&(), &())>)
            }
            125 => {
                // __File = File => ActionFn(0);
                let __sym0 = __pop_Variant5(__symbols);
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
    fn __pop_Variant5<
      's,
    >(
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>
    ) -> ((), (), ())
     {
        match __symbols.pop() {
            Some((__l, __Symbol::Variant5(__v), __r)) => (__l, __v, __r),
            _ => __symbol_type_mismatch()
        }
    }
    fn __pop_Variant2<
      's,
    >(
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>
    ) -> ((), (DerivedType, Field<'s>), ())
     {
        match __symbols.pop() {
            Some((__l, __Symbol::Variant2(__v), __r)) => (__l, __v, __r),
            _ => __symbol_type_mismatch()
        }
    }
    fn __pop_Variant3<
      's,
    >(
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>
    ) -> ((), (Key, Field<'s>), ())
     {
        match __symbols.pop() {
            Some((__l, __Symbol::Variant3(__v), __r)) => (__l, __v, __r),
            _ => __symbol_type_mismatch()
        }
    }
    fn __pop_Variant1<
      's,
    >(
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>
    ) -> ((), (Keyword, Field<'s>), ())
     {
        match __symbols.pop() {
            Some((__l, __Symbol::Variant1(__v), __r)) => (__l, __v, __r),
            _ => __symbol_type_mismatch()
        }
    }
    fn __pop_Variant4<
      's,
    >(
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>
    ) -> ((), EndOfLine, ())
     {
        match __symbols.pop() {
            Some((__l, __Symbol::Variant4(__v), __r)) => (__l, __v, __r),
            _ => __symbol_type_mismatch()
        }
    }
    fn __pop_Variant0<
      's,
    >(
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>
    ) -> ((), Field<'s>, ())
     {
        match __symbols.pop() {
            Some((__l, __Symbol::Variant0(__v), __r)) => (__l, __v, __r),
            _ => __symbol_type_mismatch()
        }
    }
    fn __pop_Variant8<
      's,
    >(
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>
    ) -> ((), Option<()>, ())
     {
        match __symbols.pop() {
            Some((__l, __Symbol::Variant8(__v), __r)) => (__l, __v, __r),
            _ => __symbol_type_mismatch()
        }
    }
    fn __pop_Variant7<
      's,
    >(
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>
    ) -> ((), Option<Field<'s>>, ())
     {
        match __symbols.pop() {
            Some((__l, __Symbol::Variant7(__v), __r)) => (__l, __v, __r),
            _ => __symbol_type_mismatch()
        }
    }
    fn __pop_Variant6<
      's,
    >(
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>
    ) -> ((), alloc::vec::Vec<Field<'s>>, ())
     {
        match __symbols.pop() {
            Some((__l, __Symbol::Variant6(__v), __r)) => (__l, __v, __r),
            _ => __symbol_type_mismatch()
        }
    }
    fn __reduce0<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // () =  => ActionFn(32);
        let __start = __lookahead_start.cloned().or_else(|| __symbols.last().map(|s| s.2.clone())).unwrap_or_default();
        let __end = __start.clone();
        let __nt = super::__action32::<>(builder, &__start, &__end);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (0, 0)
    }
    fn __reduce1<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any = "a field" => ActionFn(36);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action36::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 1)
    }
    fn __reduce2<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any = "a derived type" => ActionFn(37);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action37::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 1)
    }
    fn __reduce3<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any = "a formula type" => ActionFn(38);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action38::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 1)
    }
    fn __reduce4<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any = "CPU" => ActionFn(39);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action39::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 1)
    }
    fn __reduce5<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any = "a component" => ActionFn(40);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action40::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 1)
    }
    fn __reduce6<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any = "PRESET or EVENT" => ActionFn(41);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action41::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 1)
    }
    fn __reduce7<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any = "a key" => ActionFn(15);
        let __sym0 = __pop_Variant3(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action15::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 1)
    }
    fn __reduce8<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any* =  => ActionFn(30);
        let __start = __lookahead_start.cloned().or_else(|| __symbols.last().map(|s| s.2.clone())).unwrap_or_default();
        let __end = __start.clone();
        let __nt = super::__action30::<>(builder, &__start, &__end);
        __symbols.push((__start, __Symbol::Variant6(__nt), __end));
        (0, 2)
    }
    fn __reduce9<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any* = Any+ => ActionFn(31);
        let __sym0 = __pop_Variant6(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action31::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant6(__nt), __end));
        (1, 2)
    }
    fn __reduce10<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any+ = "a field" => ActionFn(54);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action54::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant6(__nt), __end));
        (1, 3)
    }
    fn __reduce11<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any+ = "a derived type" => ActionFn(55);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action55::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant6(__nt), __end));
        (1, 3)
    }
    fn __reduce12<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any+ = "a formula type" => ActionFn(56);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action56::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant6(__nt), __end));
        (1, 3)
    }
    fn __reduce13<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any+ = "CPU" => ActionFn(57);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action57::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant6(__nt), __end));
        (1, 3)
    }
    fn __reduce14<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any+ = "a component" => ActionFn(58);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action58::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant6(__nt), __end));
        (1, 3)
    }
    fn __reduce15<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any+ = "PRESET or EVENT" => ActionFn(59);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action59::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant6(__nt), __end));
        (1, 3)
    }
    fn __reduce16<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any+ = "a key" => ActionFn(60);
        let __sym0 = __pop_Variant3(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action60::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant6(__nt), __end));
        (1, 3)
    }
    fn __reduce17<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any+ = Any+, "a field" => ActionFn(61);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant6(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action61::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant6(__nt), __end));
        (2, 3)
    }
    fn __reduce18<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any+ = Any+, "a derived type" => ActionFn(62);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant2(__symbols);
        let __sym0 = __pop_Variant6(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action62::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant6(__nt), __end));
        (2, 3)
    }
    fn __reduce19<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any+ = Any+, "a formula type" => ActionFn(63);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant2(__symbols);
        let __sym0 = __pop_Variant6(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action63::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant6(__nt), __end));
        (2, 3)
    }
    fn __reduce20<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any+ = Any+, "CPU" => ActionFn(64);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant6(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action64::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant6(__nt), __end));
        (2, 3)
    }
    fn __reduce21<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any+ = Any+, "a component" => ActionFn(65);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant6(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action65::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant6(__nt), __end));
        (2, 3)
    }
    fn __reduce22<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any+ = Any+, "PRESET or EVENT" => ActionFn(66);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant1(__symbols);
        let __sym0 = __pop_Variant6(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action66::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant6(__nt), __end));
        (2, 3)
    }
    fn __reduce23<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any+ = Any+, "a key" => ActionFn(67);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant3(__symbols);
        let __sym0 = __pop_Variant6(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action67::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant6(__nt), __end));
        (2, 3)
    }
    fn __reduce24<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any? = "a field" => ActionFn(68);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action68::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant7(__nt), __end));
        (1, 4)
    }
    fn __reduce25<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any? = "a derived type" => ActionFn(69);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action69::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant7(__nt), __end));
        (1, 4)
    }
    fn __reduce26<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any? = "a formula type" => ActionFn(70);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action70::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant7(__nt), __end));
        (1, 4)
    }
    fn __reduce27<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any? = "CPU" => ActionFn(71);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action71::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant7(__nt), __end));
        (1, 4)
    }
    fn __reduce28<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any? = "a component" => ActionFn(72);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action72::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant7(__nt), __end));
        (1, 4)
    }
    fn __reduce29<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any? = "PRESET or EVENT" => ActionFn(73);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action73::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant7(__nt), __end));
        (1, 4)
    }
    fn __reduce30<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any? = "a key" => ActionFn(74);
        let __sym0 = __pop_Variant3(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action74::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant7(__nt), __end));
        (1, 4)
    }
    fn __reduce31<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Any? =  => ActionFn(29);
        let __start = __lookahead_start.cloned().or_else(|| __symbols.last().map(|s| s.2.clone())).unwrap_or_default();
        let __end = __start.clone();
        let __nt = super::__action29::<>(builder, &__start, &__end);
        __symbols.push((__start, __Symbol::Variant7(__nt), __end));
        (0, 4)
    }
    fn __reduce32<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // File =  => ActionFn(35);
        let __start = __lookahead_start.cloned().or_else(|| __symbols.last().map(|s| s.2.clone())).unwrap_or_default();
        let __end = __start.clone();
        let __nt = super::__action35::<>(builder, &__start, &__end);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (0, 5)
    }
    fn __reduce33<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // File = File, Line => ActionFn(2);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant5(__symbols);
        let __sym0 = __pop_Variant5(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action2::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (2, 5)
    }
    fn __reduce34<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a field", "a derived type" => ActionFn(75);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action75::<>(builder, __sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (3, 6)
    }
    fn __reduce35<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a derived type", "a derived type" => ActionFn(76);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant2(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action76::<>(builder, __sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (3, 6)
    }
    fn __reduce36<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a formula type", "a derived type" => ActionFn(77);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant2(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action77::<>(builder, __sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (3, 6)
    }
    fn __reduce37<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "CPU", "a derived type" => ActionFn(78);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action78::<>(builder, __sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (3, 6)
    }
    fn __reduce38<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a component", "a derived type" => ActionFn(79);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action79::<>(builder, __sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (3, 6)
    }
    fn __reduce39<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "PRESET or EVENT", "a derived type" => ActionFn(80);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant1(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action80::<>(builder, __sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (3, 6)
    }
    fn __reduce40<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a key", "a derived type" => ActionFn(81);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant3(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action81::<>(builder, __sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (3, 6)
    }
    fn __reduce41<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a field", "a formula type", "a field" => ActionFn(82);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action82::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce42<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a derived type", "a formula type", "a field" => ActionFn(83);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant2(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action83::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce43<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a formula type", "a formula type", "a field" => ActionFn(84);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant2(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action84::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce44<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "CPU", "a formula type", "a field" => ActionFn(85);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action85::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce45<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a component", "a formula type", "a field" => ActionFn(86);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action86::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce46<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "PRESET or EVENT", "a formula type", "a field" => ActionFn(87);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant1(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action87::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce47<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a key", "a formula type", "a field" => ActionFn(88);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant3(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action88::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce48<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a field", "a formula type", "a derived type" => ActionFn(89);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant2(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action89::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce49<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a derived type", "a formula type", "a derived type" => ActionFn(90);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant2(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant2(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action90::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce50<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a formula type", "a formula type", "a derived type" => ActionFn(91);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant2(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant2(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action91::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce51<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "CPU", "a formula type", "a derived type" => ActionFn(92);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant2(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action92::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce52<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a component", "a formula type", "a derived type" => ActionFn(93);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant2(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action93::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce53<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "PRESET or EVENT", "a formula type", "a derived type" => ActionFn(94);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant2(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant1(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action94::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce54<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a key", "a formula type", "a derived type" => ActionFn(95);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant2(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant3(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action95::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce55<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a field", "a formula type", "a formula type" => ActionFn(96);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant2(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action96::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce56<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a derived type", "a formula type", "a formula type" => ActionFn(97);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant2(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant2(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action97::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce57<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a formula type", "a formula type", "a formula type" => ActionFn(98);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant2(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant2(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action98::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce58<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "CPU", "a formula type", "a formula type" => ActionFn(99);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant2(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action99::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce59<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a component", "a formula type", "a formula type" => ActionFn(100);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant2(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action100::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce60<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "PRESET or EVENT", "a formula type", "a formula type" => ActionFn(101);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant2(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant1(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action101::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce61<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a key", "a formula type", "a formula type" => ActionFn(102);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant2(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant3(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action102::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce62<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a field", "a formula type", "CPU" => ActionFn(103);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action103::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce63<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a derived type", "a formula type", "CPU" => ActionFn(104);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant2(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action104::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce64<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a formula type", "a formula type", "CPU" => ActionFn(105);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant2(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action105::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce65<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "CPU", "a formula type", "CPU" => ActionFn(106);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action106::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce66<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a component", "a formula type", "CPU" => ActionFn(107);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action107::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce67<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "PRESET or EVENT", "a formula type", "CPU" => ActionFn(108);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant1(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action108::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce68<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a key", "a formula type", "CPU" => ActionFn(109);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant3(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action109::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce69<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a field", "a formula type", "a component" => ActionFn(110);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action110::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce70<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a derived type", "a formula type", "a component" => ActionFn(111);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant2(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action111::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce71<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a formula type", "a formula type", "a component" => ActionFn(112);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant2(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action112::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce72<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "CPU", "a formula type", "a component" => ActionFn(113);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action113::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce73<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a component", "a formula type", "a component" => ActionFn(114);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action114::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce74<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "PRESET or EVENT", "a formula type", "a component" => ActionFn(115);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant1(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action115::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce75<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a key", "a formula type", "a component" => ActionFn(116);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant0(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant3(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action116::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce76<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a field", "a formula type", "PRESET or EVENT" => ActionFn(117);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant1(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action117::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce77<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a derived type", "a formula type", "PRESET or EVENT" => ActionFn(118);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant1(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant2(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action118::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce78<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a formula type", "a formula type", "PRESET or EVENT" => ActionFn(119);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant1(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant2(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action119::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce79<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "CPU", "a formula type", "PRESET or EVENT" => ActionFn(120);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant1(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action120::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce80<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a component", "a formula type", "PRESET or EVENT" => ActionFn(121);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant1(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action121::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce81<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "PRESET or EVENT", "a formula type", "PRESET or EVENT" => ActionFn(122);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant1(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant1(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action122::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce82<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Head = "PRESET or EVENT", "a key", "a formula type", "PRESET or EVENT" => ActionFn(123);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant1(__symbols);
        let __sym2 = __pop_Variant2(__symbols);
        let __sym1 = __pop_Variant3(__symbols);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action123::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 6)
    }
    fn __reduce83<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "CPU", "the end of the line" => ActionFn(124);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant4(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action124::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (2, 7)
    }
    fn __reduce84<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "CPU", Any+, "the end of the line" => ActionFn(125);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant4(__symbols);
        let __sym1 = __pop_Variant6(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action125::<>(builder, __sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (3, 7)
    }
    fn __reduce85<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "a component", "a field", "the end of the line" => ActionFn(128);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant4(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action128::<>(builder, __sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (3, 7)
    }
    fn __reduce86<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "a component", "a derived type", "the end of the line" => ActionFn(129);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant4(__symbols);
        let __sym1 = __pop_Variant2(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action129::<>(builder, __sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (3, 7)
    }
    fn __reduce87<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "a component", "a formula type", "the end of the line" => ActionFn(130);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant4(__symbols);
        let __sym1 = __pop_Variant2(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action130::<>(builder, __sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (3, 7)
    }
    fn __reduce88<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "a component", "CPU", "the end of the line" => ActionFn(131);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant4(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action131::<>(builder, __sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (3, 7)
    }
    fn __reduce89<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "a component", "a component", "the end of the line" => ActionFn(132);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant4(__symbols);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action132::<>(builder, __sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (3, 7)
    }
    fn __reduce90<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "a component", "PRESET or EVENT", "the end of the line" => ActionFn(133);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant4(__symbols);
        let __sym1 = __pop_Variant1(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action133::<>(builder, __sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (3, 7)
    }
    fn __reduce91<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "a component", "a key", "the end of the line" => ActionFn(134);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant4(__symbols);
        let __sym1 = __pop_Variant3(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action134::<>(builder, __sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (3, 7)
    }
    fn __reduce92<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "a component", "the end of the line" => ActionFn(135);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant4(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action135::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (2, 7)
    }
    fn __reduce93<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = Head, Terms, Texts, "the end of the line" => ActionFn(144);
        assert!(__symbols.len() >= 4);
        let __sym3 = __pop_Variant4(__symbols);
        let __sym2 = __pop_Variant5(__symbols);
        let __sym1 = __pop_Variant5(__symbols);
        let __sym0 = __pop_Variant5(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym3.2.clone();
        let __nt = super::__action144::<>(builder, __sym0, __sym1, __sym2, __sym3);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (4, 7)
    }
    fn __reduce94<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = Head, Terms, "the end of the line" => ActionFn(145);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant4(__symbols);
        let __sym1 = __pop_Variant5(__symbols);
        let __sym0 = __pop_Variant5(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action145::<>(builder, __sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (3, 7)
    }
    fn __reduce95<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "a field", "the end of the line" => ActionFn(136);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant4(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action136::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (2, 7)
    }
    fn __reduce96<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "a key", "the end of the line" => ActionFn(137);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant4(__symbols);
        let __sym0 = __pop_Variant3(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action137::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (2, 7)
    }
    fn __reduce97<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "a derived type", "the end of the line" => ActionFn(138);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant4(__symbols);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action138::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (2, 7)
    }
    fn __reduce98<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "a formula type", "the end of the line" => ActionFn(139);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant4(__symbols);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action139::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (2, 7)
    }
    fn __reduce99<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "a field", Any+, "the end of the line" => ActionFn(140);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant4(__symbols);
        let __sym1 = __pop_Variant6(__symbols);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action140::<>(builder, __sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (3, 7)
    }
    fn __reduce100<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "a key", Any+, "the end of the line" => ActionFn(141);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant4(__symbols);
        let __sym1 = __pop_Variant6(__symbols);
        let __sym0 = __pop_Variant3(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action141::<>(builder, __sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (3, 7)
    }
    fn __reduce101<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "a derived type", Any+, "the end of the line" => ActionFn(142);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant4(__symbols);
        let __sym1 = __pop_Variant6(__symbols);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action142::<>(builder, __sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (3, 7)
    }
    fn __reduce102<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Line = "a formula type", Any+, "the end of the line" => ActionFn(143);
        assert!(__symbols.len() >= 3);
        let __sym2 = __pop_Variant4(__symbols);
        let __sym1 = __pop_Variant6(__symbols);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym2.2.clone();
        let __nt = super::__action143::<>(builder, __sym0, __sym1, __sym2);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (3, 7)
    }
    fn __reduce103<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Other = "a field" => ActionFn(22);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action22::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 8)
    }
    fn __reduce104<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Other = "a key" => ActionFn(23);
        let __sym0 = __pop_Variant3(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action23::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 8)
    }
    fn __reduce105<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Other = "a derived type" => ActionFn(24);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action24::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 8)
    }
    fn __reduce106<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Other = "a formula type" => ActionFn(25);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action25::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 8)
    }
    fn __reduce107<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Plain = "a field" => ActionFn(16);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action16::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 9)
    }
    fn __reduce108<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Plain = "a derived type" => ActionFn(17);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action17::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 9)
    }
    fn __reduce109<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Plain = "a formula type" => ActionFn(18);
        let __sym0 = __pop_Variant2(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action18::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 9)
    }
    fn __reduce110<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Plain = "CPU" => ActionFn(19);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action19::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 9)
    }
    fn __reduce111<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Plain = "a component" => ActionFn(20);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action20::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 9)
    }
    fn __reduce112<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Plain = "PRESET or EVENT" => ActionFn(21);
        let __sym0 = __pop_Variant1(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action21::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant0(__nt), __end));
        (1, 9)
    }
    fn __reduce113<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Terms = "a field" => ActionFn(9);
        let __sym0 = __pop_Variant0(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action9::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (1, 10)
    }
    fn __reduce114<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Terms = Terms, "a field" => ActionFn(10);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant5(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action10::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (2, 10)
    }
    fn __reduce115<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Texts = "a key" => ActionFn(11);
        let __sym0 = __pop_Variant3(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action11::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (1, 11)
    }
    fn __reduce116<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Texts = Texts, "a key" => ActionFn(12);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant3(__symbols);
        let __sym0 = __pop_Variant5(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action12::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (2, 11)
    }
    fn __reduce117<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Texts = Texts, "a field" => ActionFn(48);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant5(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action48::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (2, 11)
    }
    fn __reduce118<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Texts = Texts, "a derived type" => ActionFn(49);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant2(__symbols);
        let __sym0 = __pop_Variant5(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action49::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (2, 11)
    }
    fn __reduce119<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Texts = Texts, "a formula type" => ActionFn(50);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant2(__symbols);
        let __sym0 = __pop_Variant5(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action50::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (2, 11)
    }
    fn __reduce120<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Texts = Texts, "CPU" => ActionFn(51);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant5(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action51::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (2, 11)
    }
    fn __reduce121<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Texts = Texts, "a component" => ActionFn(52);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant0(__symbols);
        let __sym0 = __pop_Variant5(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action52::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (2, 11)
    }
    fn __reduce122<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Texts = Texts, "PRESET or EVENT" => ActionFn(53);
        assert!(__symbols.len() >= 2);
        let __sym1 = __pop_Variant1(__symbols);
        let __sym0 = __pop_Variant5(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym1.2.clone();
        let __nt = super::__action53::<>(builder, __sym0, __sym1);
        __symbols.push((__start, __Symbol::Variant5(__nt), __end));
        (2, 11)
    }
    fn __reduce123<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Texts? = Texts => ActionFn(26);
        let __sym0 = __pop_Variant5(__symbols);
        let __start = __sym0.0.clone();
        let __end = __sym0.2.clone();
        let __nt = super::__action26::<>(builder, __sym0);
        __symbols.push((__start, __Symbol::Variant8(__nt), __end));
        (1, 12)
    }
    fn __reduce124<
        's,
        'b,
    >(
        builder: &'b mut Builder<'s>,
        __lookahead_start: Option<&()>,
        __symbols: &mut alloc::vec::Vec<((),__Symbol<'s>,())>,
        _: core::marker::PhantomData<(&'s (), &'b ())>,
    ) -> (usize, usize)
    {
        // Texts? =  => ActionFn(27);
        let __start = __lookahead_start.cloned().or_else(|| __symbols.last().map(|s| s.2.clone())).unwrap_or_default();
        let __end = __start.clone();
        let __nt = super::__action27::<>(builder, &__start, &__end);
        __symbols.push((__start, __Symbol::Variant8(__nt), __end));
        (0, 12)
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
    (_, _, _): ((), Field<'s>, ()),
    (_, fields, _): ((), alloc::vec::Vec<Field<'s>>, ()),
    (_, end, _): ((), EndOfLine, ()),
)
{
    builder.cpu(&fields, end)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action4<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, name, _): ((), Field<'s>, ()),
    (_, arch, _): ((), Option<Field<'s>>, ()),
    (_, end, _): ((), EndOfLine, ()),
)
{
    builder.component(name, arch, end)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action5<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, _, _): ((), (), ()),
    (_, _, _): ((), (), ()),
    (_, _, _): ((), Option<()>, ()),
    (_, end, _): ((), EndOfLine, ()),
)
{
    builder.event(end)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action6<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, first, _): ((), Field<'s>, ()),
    (_, _, _): ((), alloc::vec::Vec<Field<'s>>, ()),
    (_, end, _): ((), EndOfLine, ()),
)
{
    builder.unknown(first, end)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action7<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, keyword, _): ((), (Keyword, Field<'s>), ()),
    (_, name, _): ((), Field<'s>, ()),
    (_, kind, _): ((), (DerivedType, Field<'s>), ()),
)
{
    builder.begin(keyword.0, name, kind, None)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action8<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, keyword, _): ((), (Keyword, Field<'s>), ()),
    (_, name, _): ((), Field<'s>, ()),
    (_, kind, _): ((), (DerivedType, Field<'s>), ()),
    (_, formula, _): ((), Field<'s>, ()),
)
{
    builder.begin(keyword.0, name, kind, Some(formula))
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action9<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, term, _): ((), Field<'s>, ()),
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
    (_, _, _): ((), (), ()),
    (_, term, _): ((), Field<'s>, ()),
)
{
    builder.term(term)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action11<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, key, _): ((), (Key, Field<'s>), ()),
)
{
    builder.key(key.0, key.1)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action12<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, _, _): ((), (), ()),
    (_, key, _): ((), (Key, Field<'s>), ()),
)
{
    builder.key(key.0, key.1)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action13<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, _, _): ((), (), ()),
    (_, text, _): ((), Field<'s>, ()),
)
{
    builder.text(text)
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action14<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, __0, _): ((), Field<'s>, ()),
) -> Field<'s>
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
    (_, key, _): ((), (Key, Field<'s>), ()),
) -> Field<'s>
{
    key.1
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action16<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, __0, _): ((), Field<'s>, ()),
) -> Field<'s>
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
    (_, kind, _): ((), (DerivedType, Field<'s>), ()),
) -> Field<'s>
{
    kind.1
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action18<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, kind, _): ((), (DerivedType, Field<'s>), ()),
) -> Field<'s>
{
    kind.1
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action19<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, __0, _): ((), Field<'s>, ()),
) -> Field<'s>
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
    (_, __0, _): ((), Field<'s>, ()),
) -> Field<'s>
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
    (_, keyword, _): ((), (Keyword, Field<'s>), ()),
) -> Field<'s>
{
    keyword.1
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action22<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, __0, _): ((), Field<'s>, ()),
) -> Field<'s>
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
    (_, key, _): ((), (Key, Field<'s>), ()),
) -> Field<'s>
{
    key.1
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action24<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, kind, _): ((), (DerivedType, Field<'s>), ()),
) -> Field<'s>
{
    kind.1
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action25<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, kind, _): ((), (DerivedType, Field<'s>), ()),
) -> Field<'s>
{
    kind.1
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action26<
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
fn __action27<
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
fn __action28<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, __0, _): ((), Field<'s>, ()),
) -> Option<Field<'s>>
{
    Some(__0)
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
) -> Option<Field<'s>>
{
    None
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action30<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __lookbehind: &(),
    __lookahead: &(),
) -> alloc::vec::Vec<Field<'s>>
{
    alloc::vec![]
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action31<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, v, _): ((), alloc::vec::Vec<Field<'s>>, ()),
) -> alloc::vec::Vec<Field<'s>>
{
    v
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action32<
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
fn __action33<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, __0, _): ((), Field<'s>, ()),
) -> alloc::vec::Vec<Field<'s>>
{
    alloc::vec![__0]
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes, clippy::just_underscores_and_digits, clippy::extra_unused_type_parameters)]
fn __action34<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    (_, v, _): ((), alloc::vec::Vec<Field<'s>>, ()),
    (_, e, _): ((), Field<'s>, ()),
) -> alloc::vec::Vec<Field<'s>>
{
    { let mut v = v; v.push(e); v }
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action35<
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
    let __temp0 = __action32(
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
fn __action36<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Field<'s>, ()),
) -> Field<'s>
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action16(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action14(
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
    __0: ((), (DerivedType, Field<'s>), ()),
) -> Field<'s>
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action17(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action14(
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
    __0: ((), (DerivedType, Field<'s>), ()),
) -> Field<'s>
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action18(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action14(
        builder,
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
    __0: ((), Field<'s>, ()),
) -> Field<'s>
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action19(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action14(
        builder,
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
    __0: ((), Field<'s>, ()),
) -> Field<'s>
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action20(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action14(
        builder,
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
    __0: ((), (Keyword, Field<'s>), ()),
) -> Field<'s>
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action21(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action14(
        builder,
        __temp0,
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
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), Field<'s>, ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), Field<'s>, ()),
)
{
    let __start0 = __3.0.clone();
    let __end0 = __3.2.clone();
    let __temp0 = __action16(
        builder,
        __3,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action8(
        builder,
        __0,
        __1,
        __2,
        __temp0,
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
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), Field<'s>, ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), (DerivedType, Field<'s>), ()),
)
{
    let __start0 = __3.0.clone();
    let __end0 = __3.2.clone();
    let __temp0 = __action17(
        builder,
        __3,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action8(
        builder,
        __0,
        __1,
        __2,
        __temp0,
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
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), Field<'s>, ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), (DerivedType, Field<'s>), ()),
)
{
    let __start0 = __3.0.clone();
    let __end0 = __3.2.clone();
    let __temp0 = __action18(
        builder,
        __3,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action8(
        builder,
        __0,
        __1,
        __2,
        __temp0,
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
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), Field<'s>, ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), Field<'s>, ()),
)
{
    let __start0 = __3.0.clone();
    let __end0 = __3.2.clone();
    let __temp0 = __action19(
        builder,
        __3,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action8(
        builder,
        __0,
        __1,
        __2,
        __temp0,
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
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), Field<'s>, ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), Field<'s>, ()),
)
{
    let __start0 = __3.0.clone();
    let __end0 = __3.2.clone();
    let __temp0 = __action20(
        builder,
        __3,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action8(
        builder,
        __0,
        __1,
        __2,
        __temp0,
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
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), Field<'s>, ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), (Keyword, Field<'s>), ()),
)
{
    let __start0 = __3.0.clone();
    let __end0 = __3.2.clone();
    let __temp0 = __action21(
        builder,
        __3,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action8(
        builder,
        __0,
        __1,
        __2,
        __temp0,
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
    __0: ((), (), ()),
    __1: ((), Field<'s>, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action16(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action13(
        builder,
        __0,
        __temp0,
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
    __0: ((), (), ()),
    __1: ((), (DerivedType, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action17(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action13(
        builder,
        __0,
        __temp0,
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
    __0: ((), (), ()),
    __1: ((), (DerivedType, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action18(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action13(
        builder,
        __0,
        __temp0,
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
    __0: ((), (), ()),
    __1: ((), Field<'s>, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action19(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action13(
        builder,
        __0,
        __temp0,
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
    __0: ((), (), ()),
    __1: ((), Field<'s>, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action20(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action13(
        builder,
        __0,
        __temp0,
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
    __0: ((), (), ()),
    __1: ((), (Keyword, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action21(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action13(
        builder,
        __0,
        __temp0,
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
    __0: ((), Field<'s>, ()),
) -> alloc::vec::Vec<Field<'s>>
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action36(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action33(
        builder,
        __temp0,
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
    __0: ((), (DerivedType, Field<'s>), ()),
) -> alloc::vec::Vec<Field<'s>>
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action37(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action33(
        builder,
        __temp0,
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
    __0: ((), (DerivedType, Field<'s>), ()),
) -> alloc::vec::Vec<Field<'s>>
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action38(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action33(
        builder,
        __temp0,
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
    __0: ((), Field<'s>, ()),
) -> alloc::vec::Vec<Field<'s>>
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action39(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action33(
        builder,
        __temp0,
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
    __0: ((), Field<'s>, ()),
) -> alloc::vec::Vec<Field<'s>>
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action40(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action33(
        builder,
        __temp0,
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
    __0: ((), (Keyword, Field<'s>), ()),
) -> alloc::vec::Vec<Field<'s>>
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action41(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action33(
        builder,
        __temp0,
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
    __0: ((), (Key, Field<'s>), ()),
) -> alloc::vec::Vec<Field<'s>>
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action15(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action33(
        builder,
        __temp0,
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
    __0: ((), alloc::vec::Vec<Field<'s>>, ()),
    __1: ((), Field<'s>, ()),
) -> alloc::vec::Vec<Field<'s>>
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action36(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action34(
        builder,
        __0,
        __temp0,
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
    __0: ((), alloc::vec::Vec<Field<'s>>, ()),
    __1: ((), (DerivedType, Field<'s>), ()),
) -> alloc::vec::Vec<Field<'s>>
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action37(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action34(
        builder,
        __0,
        __temp0,
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
    __0: ((), alloc::vec::Vec<Field<'s>>, ()),
    __1: ((), (DerivedType, Field<'s>), ()),
) -> alloc::vec::Vec<Field<'s>>
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action38(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action34(
        builder,
        __0,
        __temp0,
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
    __0: ((), alloc::vec::Vec<Field<'s>>, ()),
    __1: ((), Field<'s>, ()),
) -> alloc::vec::Vec<Field<'s>>
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action39(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action34(
        builder,
        __0,
        __temp0,
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
    __0: ((), alloc::vec::Vec<Field<'s>>, ()),
    __1: ((), Field<'s>, ()),
) -> alloc::vec::Vec<Field<'s>>
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action40(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action34(
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
    __0: ((), alloc::vec::Vec<Field<'s>>, ()),
    __1: ((), (Keyword, Field<'s>), ()),
) -> alloc::vec::Vec<Field<'s>>
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action41(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action34(
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
    __0: ((), alloc::vec::Vec<Field<'s>>, ()),
    __1: ((), (Key, Field<'s>), ()),
) -> alloc::vec::Vec<Field<'s>>
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action15(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action34(
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
    __0: ((), Field<'s>, ()),
) -> Option<Field<'s>>
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action36(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action28(
        builder,
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
    __0: ((), (DerivedType, Field<'s>), ()),
) -> Option<Field<'s>>
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action37(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action28(
        builder,
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
    __0: ((), (DerivedType, Field<'s>), ()),
) -> Option<Field<'s>>
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action38(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action28(
        builder,
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
    __0: ((), Field<'s>, ()),
) -> Option<Field<'s>>
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action39(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action28(
        builder,
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
    __0: ((), Field<'s>, ()),
) -> Option<Field<'s>>
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action40(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action28(
        builder,
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
    __0: ((), (Keyword, Field<'s>), ()),
) -> Option<Field<'s>>
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action41(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action28(
        builder,
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
    __0: ((), (Key, Field<'s>), ()),
) -> Option<Field<'s>>
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action15(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action28(
        builder,
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
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), Field<'s>, ()),
    __2: ((), (DerivedType, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action36(
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
fn __action76<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (DerivedType, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action37(
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
fn __action77<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (DerivedType, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action38(
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
fn __action78<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), Field<'s>, ()),
    __2: ((), (DerivedType, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action39(
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
fn __action79<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), Field<'s>, ()),
    __2: ((), (DerivedType, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action40(
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
fn __action80<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (Keyword, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action41(
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
fn __action81<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (Key, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action15(
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
fn __action82<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), Field<'s>, ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), Field<'s>, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action36(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action42(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action83<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (DerivedType, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), Field<'s>, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action37(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action42(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action84<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (DerivedType, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), Field<'s>, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action38(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action42(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action85<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), Field<'s>, ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), Field<'s>, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action39(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action42(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action86<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), Field<'s>, ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), Field<'s>, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action40(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action42(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action87<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (Keyword, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), Field<'s>, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action41(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action42(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action88<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (Key, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), Field<'s>, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action15(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action42(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action89<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), Field<'s>, ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), (DerivedType, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action36(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action43(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action90<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (DerivedType, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), (DerivedType, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action37(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action43(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action91<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (DerivedType, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), (DerivedType, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action38(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action43(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action92<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), Field<'s>, ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), (DerivedType, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action39(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action43(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action93<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), Field<'s>, ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), (DerivedType, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action40(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action43(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action94<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (Keyword, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), (DerivedType, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action41(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action43(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action95<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (Key, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), (DerivedType, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action15(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action43(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action96<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), Field<'s>, ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), (DerivedType, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action36(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action44(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action97<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (DerivedType, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), (DerivedType, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action37(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action44(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action98<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (DerivedType, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), (DerivedType, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action38(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action44(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action99<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), Field<'s>, ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), (DerivedType, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action39(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action44(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action100<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), Field<'s>, ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), (DerivedType, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action40(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action44(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action101<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (Keyword, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), (DerivedType, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action41(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action44(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action102<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (Key, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), (DerivedType, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action15(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action44(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action103<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), Field<'s>, ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), Field<'s>, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action36(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action45(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action104<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (DerivedType, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), Field<'s>, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action37(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action45(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action105<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (DerivedType, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), Field<'s>, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action38(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action45(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action106<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), Field<'s>, ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), Field<'s>, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action39(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action45(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action107<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), Field<'s>, ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), Field<'s>, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action40(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action45(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action108<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (Keyword, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), Field<'s>, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action41(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action45(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action109<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (Key, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), Field<'s>, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action15(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action45(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action110<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), Field<'s>, ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), Field<'s>, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action36(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action46(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action111<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (DerivedType, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), Field<'s>, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action37(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action46(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action112<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (DerivedType, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), Field<'s>, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action38(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action46(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action113<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), Field<'s>, ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), Field<'s>, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action39(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action46(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action114<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), Field<'s>, ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), Field<'s>, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action40(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action46(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action115<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (Keyword, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), Field<'s>, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action41(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action46(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action116<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (Key, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), Field<'s>, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action15(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action46(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action117<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), Field<'s>, ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), (Keyword, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action36(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action47(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action118<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (DerivedType, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), (Keyword, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action37(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action47(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action119<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (DerivedType, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), (Keyword, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action38(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action47(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action120<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), Field<'s>, ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), (Keyword, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action39(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action47(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action121<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), Field<'s>, ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), (Keyword, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action40(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action47(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action122<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (Keyword, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), (Keyword, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action41(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action47(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action123<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Keyword, Field<'s>), ()),
    __1: ((), (Key, Field<'s>), ()),
    __2: ((), (DerivedType, Field<'s>), ()),
    __3: ((), (Keyword, Field<'s>), ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action15(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action47(
        builder,
        __0,
        __temp0,
        __2,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action124<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Field<'s>, ()),
    __1: ((), EndOfLine, ()),
)
{
    let __start0 = __0.2.clone();
    let __end0 = __1.0.clone();
    let __temp0 = __action30(
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
fn __action125<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Field<'s>, ()),
    __1: ((), alloc::vec::Vec<Field<'s>>, ()),
    __2: ((), EndOfLine, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action31(
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
fn __action126<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Field<'s>, ()),
    __1: ((), EndOfLine, ()),
)
{
    let __start0 = __0.2.clone();
    let __end0 = __1.0.clone();
    let __temp0 = __action30(
        builder,
        &__start0,
        &__end0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action6(
        builder,
        __0,
        __temp0,
        __1,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action127<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Field<'s>, ()),
    __1: ((), alloc::vec::Vec<Field<'s>>, ()),
    __2: ((), EndOfLine, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action31(
        builder,
        __1,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action6(
        builder,
        __0,
        __temp0,
        __2,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action128<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Field<'s>, ()),
    __1: ((), Field<'s>, ()),
    __2: ((), EndOfLine, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action68(
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
fn __action129<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Field<'s>, ()),
    __1: ((), (DerivedType, Field<'s>), ()),
    __2: ((), EndOfLine, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action69(
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
fn __action130<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Field<'s>, ()),
    __1: ((), (DerivedType, Field<'s>), ()),
    __2: ((), EndOfLine, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action70(
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
fn __action131<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Field<'s>, ()),
    __1: ((), Field<'s>, ()),
    __2: ((), EndOfLine, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action71(
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
fn __action132<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Field<'s>, ()),
    __1: ((), Field<'s>, ()),
    __2: ((), EndOfLine, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action72(
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
fn __action133<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Field<'s>, ()),
    __1: ((), (Keyword, Field<'s>), ()),
    __2: ((), EndOfLine, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action73(
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
fn __action134<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Field<'s>, ()),
    __1: ((), (Key, Field<'s>), ()),
    __2: ((), EndOfLine, ()),
)
{
    let __start0 = __1.0.clone();
    let __end0 = __1.2.clone();
    let __temp0 = __action74(
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
fn __action135<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Field<'s>, ()),
    __1: ((), EndOfLine, ()),
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
fn __action136<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Field<'s>, ()),
    __1: ((), EndOfLine, ()),
)
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action22(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action126(
        builder,
        __temp0,
        __1,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action137<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Key, Field<'s>), ()),
    __1: ((), EndOfLine, ()),
)
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action23(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action126(
        builder,
        __temp0,
        __1,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action138<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (DerivedType, Field<'s>), ()),
    __1: ((), EndOfLine, ()),
)
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action24(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action126(
        builder,
        __temp0,
        __1,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action139<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (DerivedType, Field<'s>), ()),
    __1: ((), EndOfLine, ()),
)
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action25(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action126(
        builder,
        __temp0,
        __1,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action140<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), Field<'s>, ()),
    __1: ((), alloc::vec::Vec<Field<'s>>, ()),
    __2: ((), EndOfLine, ()),
)
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action22(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action127(
        builder,
        __temp0,
        __1,
        __2,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action141<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (Key, Field<'s>), ()),
    __1: ((), alloc::vec::Vec<Field<'s>>, ()),
    __2: ((), EndOfLine, ()),
)
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action23(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action127(
        builder,
        __temp0,
        __1,
        __2,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action142<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (DerivedType, Field<'s>), ()),
    __1: ((), alloc::vec::Vec<Field<'s>>, ()),
    __2: ((), EndOfLine, ()),
)
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action24(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action127(
        builder,
        __temp0,
        __1,
        __2,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action143<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (DerivedType, Field<'s>), ()),
    __1: ((), alloc::vec::Vec<Field<'s>>, ()),
    __2: ((), EndOfLine, ()),
)
{
    let __start0 = __0.0.clone();
    let __end0 = __0.2.clone();
    let __temp0 = __action25(
        builder,
        __0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action127(
        builder,
        __temp0,
        __1,
        __2,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action144<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (), ()),
    __1: ((), (), ()),
    __2: ((), (), ()),
    __3: ((), EndOfLine, ()),
)
{
    let __start0 = __2.0.clone();
    let __end0 = __2.2.clone();
    let __temp0 = __action26(
        builder,
        __2,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action5(
        builder,
        __0,
        __1,
        __temp0,
        __3,
    )
}

#[allow(unused_variables)]
#[allow(clippy::too_many_arguments, clippy::needless_lifetimes,
    clippy::just_underscores_and_digits, clippy::clone_on_copy, clippy::unit_arg)]
fn __action145<
    's,
    'b,
>(
    builder: &'b mut Builder<'s>,
    __0: ((), (), ()),
    __1: ((), (), ()),
    __2: ((), EndOfLine, ()),
)
{
    let __start0 = __1.2.clone();
    let __end0 = __2.0.clone();
    let __temp0 = __action27(
        builder,
        &__start0,
        &__end0,
    );
    let __temp0 = (__start0, __temp0, __end0);
    __action5(
        builder,
        __0,
        __1,
        __temp0,
        __2,
    )
}

#[allow(clippy::type_complexity, dead_code)]
pub(crate) trait __ToTriple<'s, 'b, >
{
    fn to_triple(self) -> Result<((),Token<'s>,()), __lalrpop_util::ParseError<(), Token<'s>, std::convert::Infallible>>;
}

impl<'s, 'b, > __ToTriple<'s, 'b, > for Token<'s>
{
    fn to_triple(self) -> Result<((),Token<'s>,()), __lalrpop_util::ParseError<(), Token<'s>, std::convert::Infallible>> {
        Ok(((), self, ()))
    }
}
impl<'s, 'b, > __ToTriple<'s, 'b, > for Result<Token<'s>,std::convert::Infallible>
{
    fn to_triple(self) -> Result<((),Token<'s>,()), __lalrpop_util::ParseError<(), Token<'s>, std::convert::Infallible>> {
        match self {
            Ok(v) => Ok(((), v, ())),
            Err(error) => Err(__lalrpop_util::ParseError::User { error }),
        }
    }
}
