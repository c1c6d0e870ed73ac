/**
 * The time zones of area codes: by calling code and zone, how national numbers begin. An area that lies in two zones is in
 * both. Countries of one zone are left out, as are areas that are not known: new ones have no zone here until they are added.
 *
 * The list of the United States and Canada was made from the time zones of Google's libphonenumber. The others follow the public
 * numbering plans (Rossvyaz, IFT, Anatel, ACMA, Kominfo), and were compared with it.
 */
export const AREA_ZONES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // The United States and Canada; other countries of this code have one zone each.
  '1': {
    'America/New_York': `
      201 202 203 207 212 215 216 219 220 223 226 227 229 231 234 239 240 248 249 252 260 263 267 269 270
      272 276 283 289 301 302 304 305 313 315 317 321 324 326 329 330 332 336 339 343 347 351 352 354 363
      364 365 367 380 382 386 401 404 407 410 412 413 416 418 419 423 434 437 438 440 443 445 448 450 463
      468 470 472 475 478 484 502 508 513 514 516 517 518 519 540 548 551 561 567 570 571 574 579 581 582
      585 586 603 606 607 609 610 613 614 616 617 631 640 645 646 647 656 667 678 680 681 683 686 703 704
      705 706 716 717 718 724 727 728 732 734 740 742 743 753 754 757 762 765 770 771 772 774 781 786 802
      803 804 807 810 812 813 814 819 821 826 828 835 838 839 843 845 848 850 854 856 857 859 860 862 863
      864 865 867 873 878 904 905 906 908 910 912 914 917 919 929 930 934 937 941 942 943 947 948 954 959
      973 978 980 984 989`,
    'America/Chicago': `
      204 205 210 214 217 218 219 224 225 228 235 251 254 256 262 270 274 281 308 309 312 314 316 318 319
      320 325 327 331 334 337 346 353 361 402 405 409 414 417 423 430 431 432 447 464 469 474 479 501 504
      507 512 515 531 534 539 557 563 572 573 574 580 584 601 605 606 608 612 615 618 620 629 630 636 641
      651 659 660 662 682 689 701 708 712 713 715 726 730 731 737 763 769 773 779 785 806 807 812 815 816
      817 830 832 847 850 867 870 872 901 903 906 913 918 920 931 936 938 940 945 952 956 972 975 979 985`,
    'America/Denver': `
      208 250 303 307 308 368 385 403 406 435 505 541 575 587 605 620 701 719 720 748 775 780 785 801 825
      867 915 928 970 983 986`,
    'America/Phoenix': '480 520 602 623 867 928',
    'America/Los_Angeles': `
      206 208 209 213 236 250 253 257 279 310 323 341 350 360 369 408 415 424 425 442 458 503 509 510 530
      541 559 562 564 604 619 626 628 650 657 661 669 672 702 707 714 725 738 747 760 775 778 805 818 820
      831 840 858 909 916 925 949 951 971 986`,
    'America/Anchorage': '907',
    'Pacific/Honolulu': '808',
    'America/Halifax': '418 428 506 709 782 902',
    'America/St_Johns': '709 879',
    'America/Regina': '306 639',
  },
  // Russia; Kazakhstan has one time, and Russian mobile numbers no area.
  '7': {
    'Europe/Kaliningrad': '401',
    'Europe/Moscow': '36 4 8',
    'Europe/Samara': '341 842 845 846 848 851',
    'Asia/Yekaterinburg': '342 343 345 346 347 349 351 352 353',
    'Asia/Omsk': '381',
    'Asia/Novosibirsk': '382 383 384 385 388',
    'Asia/Krasnoyarsk': '390 391 394',
    'Asia/Irkutsk': '301 395',
    'Asia/Yakutsk': '302 411 416',
    'Asia/Vladivostok': '421 423 426',
    'Asia/Sakhalin': '413 424',
    'Asia/Kamchatka': '415 427',
  },
  // Spain.
  '34': {
    'Atlantic/Canary': '822 828 922 928',
    'Europe/Madrid': '8 9',
  },
  // Portugal.
  '351': {
    'Atlantic/Azores': '292 295 296',
    'Europe/Lisbon': '2',
  },
  // Mexico: areas that do not keep the time of the capital.
  '52': {
    'America/Tijuana': '616 646 658 661 664 665 686',
    'America/Hermosillo': '622 623 631 632 633 634 637 638 641 642 643 644 645 647 651 653 662',
    'America/Mazatlan': `
      311 319 323 324 325 327 389 612 613 615 624 667 668 669 672 673 687 694 695 696 697 698`,
    'America/Ciudad_Juarez': '656',
    'America/Matamoros': '867 868 877 878 894 897 899',
    'America/Cancun': '983 984 987 998',
  },
  // Brazil: areas that do not keep the time of the capital.
  '55': {
    'America/Cuiaba': '65 66',
    'America/Campo_Grande': '67',
    'America/Rio_Branco': '68',
    'America/Porto_Velho': '69',
    'America/Manaus': '92 97',
    'America/Boa_Vista': '95',
  },
  // Chile.
  '56': {
    'Pacific/Easter': '32210',
    'America/Santiago': '2 3 4 5 6 7',
  },
  // Australia; mobile numbers have no area.
  '61': {
    'Australia/Sydney': '2 3',
    'Australia/Brisbane': '7',
    'Australia/Adelaide': '85 87 88',
    'Australia/Darwin': '879 889',
    'Australia/Perth': '85 86 89',
  },
  // Indonesia; mobile numbers have no area.
  '62': {
    'Asia/Jakarta': '2 31 32 33 34 35 513 519 522 525 528 53 56 6 7',
    'Asia/Makassar': '36 37 38 4 511 512 516 517 518 526 527 54 55',
    'Asia/Jayapura': '9',
  },
};
